import { isOwnTicket, isPreviewTicket, ownTicketParameter, previewParameter } from '@weir/plane';
import type { ClientInfo } from './client-info.ts';

/**
 * Marks who does not count as a viewer: a program of ours, and the console's own picture of this stream. Both show a ticket that the token
 * of this start seals, and it does not stay in an address that somebody may read.
 */
export function recognise(info: ClientInfo, token: string): ClientInfo {
  if (!info.param.includes('weir-')) return info;
  const [shown, rest] = extractParameter(info.param, ownTicketParameter);
  if (shown !== undefined && isOwnTicket(shown, token, Date.now())) return { ...info, param: rest, isOwn: true };
  const [ticket, param] = extractParameter(info.param, previewParameter);
  if (ticket === undefined) return info;
  const isPreview = isFromConsole(info, token);
  return { ...info, param, ...(isPreview && { isPreview }) };
}

/** True for the console's own player of this stream. */
export function isFromConsole({ place, param }: Pick<ClientInfo, 'place' | 'param'>, token: string): boolean {
  const [ticket] = extractParameter(param, previewParameter);
  const { vhost, app, name } = place;
  return ticket !== undefined && isPreviewTicket(ticket, token, { vhost, app, stream: name }, Date.now());
}

/** The value of a parameter, and the query without it. */
function extractParameter(query: string, name: string): [string | undefined, string] {
  const pattern = new RegExp(`(^|[?&])${name}=([^&]*)(&|$)`);
  const [, before = '', value, after = ''] = pattern.exec(query) ?? [];
  if (value === undefined || value === '') return [undefined, query];
  return [value, query.replace(pattern, after === '' ? '' : before)];
}
