import { expect, it } from 'vitest';
import { toPublisherEnd } from './publisher-end.ts';

it.each([
  ['ended by the administrator', 'kicked'],
  ['closed by the peer', 'closed'],
  ['nothing received', 'silent'],
  ['nothing received for 5 s', 'silent'],
  ['nothing received, replaced by another connection', 'silent'],
  ['ICE consent expired', 'silent'],
  ['malformed: a message did not end in time', 'malformed'],
  ['the server is stopping', 'stopped'],
  ['internal error', 'failed'],
  ['whatever comes', 'closed'],
])('a disconnect reason of "%s" is reported as %s', (reason, end) => {
  expect(toPublisherEnd(reason)).toBe(end);
});
