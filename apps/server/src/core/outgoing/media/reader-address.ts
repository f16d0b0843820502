import { OutgoingError } from '../outgoing-error.ts';
import { parseTarget } from '../outgoing-target.ts';

/** Reserved name (RFC 6761, 6.4) of requests that are meant for the proxy. */
const gate = 'http://weir.invalid';
const refused = `${gate}/refused`;

/**
 * An address in the form that ffmpeg asks our proxy for. It speaks plain HTTP only, because with TLS it would need a protocol that
 * leads past the proxy; so `https://host/path` is `http://weir.invalid/https/host/path` to it.
 */
export function readerAddress(url: URL): string {
  if (url.protocol === 'http:') return url.href;
  const login = url.username === '' ? '' : `${url.username}:${url.password}@`;
  return `http://${login}${gate.slice(7)}/https/${url.host}${url.pathname}${url.search}`;
}

/** Original form of an address that ffmpeg requests. */
export function typedAddress(asked: string): string {
  if (!asked.startsWith(`${gate}/`)) return asked;
  const [, rest] = /^\/https\/(.*)$/s.exec(asked.slice(gate.length)) ?? [];
  if (rest === undefined) throw new OutgoingError('bad-url', 'the playlist contains an invalid URL');
  return `https://${rest}`;
}

/** Rewrites an address from a redirect or a playlist: http and https only, anything else leads to a refusal. */
export function followedAddress(text: string, base: URL, onRefused: (why: string) => void): string {
  try {
    return readerAddress(parseTarget(text, base.href));
  } catch (error) {
    onRefused(error instanceof OutgoingError ? error.message : 'the playlist contains an invalid URL');
    return refused;
  }
}
