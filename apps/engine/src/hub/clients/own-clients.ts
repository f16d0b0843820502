import { timingSafeEqual } from 'node:crypto';
import { isPreviewTicket, ownTokenParameter, previewParameter } from '@weir/plane';
import type { ClientInfo } from './client-info.ts';

/**
 * Marks who does not count as a viewer: a program of ours, which shows the token of this start, and the console's own picture, which
 * shows a ticket for this stream. Neither stays in an address that somebody may read.
 */
export function recognise(info: ClientInfo, token: string): ClientInfo {
  if (!info.param.includes('weir-')) return info;
  const [shown, rest] = take(info.param, ownTokenParameter);
  if (shown !== undefined && isSame(shown, token)) return { ...info, param: rest, isOwn: true };
  const [ticket, param] = take(info.param, previewParameter);
  if (ticket === undefined) return info;
  const { vhost, app, name } = info.place;
  const isPreview = isPreviewTicket(ticket, token, { vhost, app, stream: name }, Date.now());
  return { ...info, param, ...(isPreview && { isPreview }) };
}

/** The value of a parameter, and the query without it. */
function take(query: string, name: string): [string | undefined, string] {
  const pattern = new RegExp(`(^|[?&])${name}=([^&]*)(&|$)`);
  const [, before = '', value, after = ''] = pattern.exec(query) ?? [];
  if (value === undefined || value === '') return [undefined, query];
  return [value, query.replace(pattern, after === '' ? '' : before)];
}

function isSame(shown: string, token: string): boolean {
  const [a, b] = [Buffer.from(shown), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
