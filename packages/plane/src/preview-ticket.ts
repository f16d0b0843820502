import { createHmac, timingSafeEqual } from 'node:crypto';

/** Query parameter of a stream that carries a ticket. */
export const previewParameter = 'weir-preview';

interface Place {
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
}

/**
 * Says that whoever plays this stream looks at it from the console, and is no viewer. It opens nothing: a player with a ticket is
 * asked for whatever others are asked for. `key` is what both planes share and nobody else knows.
 */
export function previewTicket(key: string, place: Place, expiresAtMs: number): string {
  const expires = Math.floor(expiresAtMs / 1000).toString(36);
  return `${expires}.${seal(key, place, expires)}`;
}

export function isPreviewTicket(ticket: string, key: string, place: Place, nowMs: number): boolean {
  const [, expires = '', shown = ''] = /^([0-9a-z]{1,9})\.([\w-]{22})$/.exec(ticket) ?? [];
  if (key === '' || expires === '' || parseInt(expires, 36) * 1000 < nowMs) return false;
  return timingSafeEqual(Buffer.from(shown), Buffer.from(seal(key, place, expires)));
}

function seal(key: string, { vhost, app, stream }: Place, expires: string): string {
  const text = JSON.stringify(['preview', vhost, app, stream, expires]);
  return createHmac('sha256', key).update(text).digest('base64url').slice(0, 22);
}
