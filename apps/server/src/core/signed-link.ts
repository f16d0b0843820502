import { createHmac } from 'node:crypto';
import { sameText } from './same-text.ts';

/** `<when it ends, in seconds>.<HMAC-SHA256 over that and what it opens>` */
export function signLink(key: Uint8Array, what: string, expiresAtMs: number): string {
  const seconds = Math.floor(expiresAtMs / 1000);
  return `${seconds}.${macOf(key, what, seconds)}`;
}

/** True if the link is valid for this now. */
export function isGoodLink(key: Uint8Array, what: string, link: string, nowMs: number): boolean {
  const [, seconds, mac] = /^(\d{1,12})\.([A-Za-z0-9_-]{43})$/.exec(link) ?? [];
  if (seconds === undefined || mac === undefined) return false;
  return sameText(mac, macOf(key, what, Number(seconds))) && Number(seconds) * 1000 > nowMs;
}

function macOf(key: Uint8Array, what: string, seconds: number): string {
  return createHmac('sha256', key).update(`${what}.${seconds}`).digest('base64url');
}
