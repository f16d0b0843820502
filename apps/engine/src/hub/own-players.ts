import { timingSafeEqual } from 'node:crypto';
import { ownTokenParameter } from '@weir/plane';
import type { ClientInfo } from './client-info.ts';

const pair = new RegExp(`([?&])${ownTokenParameter}=([^&]*)(&|$)`);

/** Marks a player that shows the token of this start as one of ours. The token stays in no address that somebody may read. */
export function recognise(info: ClientInfo, token: string): ClientInfo {
  const [, before = '', shown = '', after = ''] = pair.exec(info.param) ?? [];
  if (shown === '' || !isSame(shown, token)) return info;
  const param = info.param.replace(pair, after === '' ? '' : before);
  return { ...info, param, isOwn: true };
}

function isSame(shown: string, token: string): boolean {
  const [a, b] = [Buffer.from(shown), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
