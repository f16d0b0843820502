import { createHmac } from 'node:crypto';
import { sameText } from '../../../core/same-text.ts';

/** `<when it ends, in seconds>.<HMAC-SHA256 over that and the recording's id>` */
export function signLink(key: Uint8Array, uuid: string, expiresAtMs: number): string {
  const seconds = Math.floor(expiresAtMs / 1000);
  return `${seconds}.${macOf(key, uuid, seconds)}`;
}

/** Whether a link opens this recording now. */
export function isGoodLink(key: Uint8Array, uuid: string, link: string, nowMs: number): boolean {
  const [, seconds, mac] = /^(\d{1,12})\.([A-Za-z0-9_-]{43})$/.exec(link) ?? [];
  if (seconds === undefined || mac === undefined) return false;
  return sameText(mac, macOf(key, uuid, Number(seconds))) && Number(seconds) * 1000 > nowMs;
}

function macOf(key: Uint8Array, uuid: string, seconds: number): string {
  return createHmac('sha256', key).update(`${uuid}.${seconds}`).digest('base64url');
}
