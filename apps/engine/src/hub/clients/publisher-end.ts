import type { PublisherEnd } from '@weir/engine-api';

/** Maps reasons of closed connections to kinds. Unknown ones are ordinary ends. */
const known: readonly (readonly [PublisherEnd, RegExp])[] = [
  ['kicked', /^ended by the administrator$/],
  ['stopped', /^the server is stopping$/],
  ['malformed', /^malformed/],
  ['silent', /^nothing (received|was)|no media|^ICE consent expired$/],
  ['failed', /^internal error$/],
];

export function toPublisherEnd(reason: string): PublisherEnd {
  return known.find(([, words]) => words.test(reason))?.[0] ?? 'closed';
}
