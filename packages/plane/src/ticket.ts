import { createHmac, timingSafeEqual } from 'node:crypto';

/** Signed facts with an expiry. Readable by anyone: a ticket proves its facts and grants nothing else. */
export function writeTicket(key: string, facts: readonly string[], expiresAtMs: number): string {
  const expires = Math.floor(expiresAtMs / 1000).toString(36);
  return `${expires}.${seal(key, facts, expires)}`;
}

export function isTicket(ticket: string, key: string, facts: readonly string[], nowMs: number): boolean {
  const [, expires = '', shown = ''] = /^([0-9a-z]{1,9})\.([\w-]{22})$/.exec(ticket) ?? [];
  if (key === '' || expires === '' || parseInt(expires, 36) * 1000 < nowMs) return false;
  return timingSafeEqual(Buffer.from(shown), Buffer.from(seal(key, facts, expires)));
}

function seal(key: string, facts: readonly string[], expires: string): string {
  const text = JSON.stringify([...facts, expires]);
  return createHmac('sha256', key).update(text).digest('base64url').slice(0, 22);
}
