import type { PlayLink } from '@weir/contract';
import { writePlaybackToken } from '@weir/plane';
import type { PlaybackKey, StreamPlace } from '@weir/streams';
import type { StoredLink } from './access-repository.ts';

interface LinkFacts {
  readonly place: StreamPlace;
  readonly keys: readonly PlaybackKey[];
  readonly viewers: number;
  readonly nowMs: number;
}

/** A link as its owner sees it, with its token for as long as that opens something. */
export function describeLink(row: StoredLink, { place, keys, viewers, nowMs }: LinkFacts): PlayLink {
  const { id, label, playback, createdAt, startsAt, expiresAt, devices, address, lastUsedAt } = row;
  const state = stateOf(row, nowMs);
  const key = keys.find((each) => each.id === row.key);
  const claims = {
    playback,
    stream: '',
    id,
    startsAt: toSeconds(startsAt),
    expiresAt: toSeconds(expiresAt),
    devices,
    address,
  };
  const isUsable = key !== undefined && (state === 'valid' || state === 'waiting');
  return {
    id,
    label,
    vhost: place.vhost,
    app: place.app,
    stream: place.name,
    playback,
    token: isUsable ? writePlaybackToken(key, claims) : '',
    state,
    createdAt,
    startsAt,
    expiresAt,
    devices,
    address,
    viewers,
    lastUsedAt,
  };
}

export function isOver({ expiresAt, revokedAt }: StoredLink, nowMs: number): boolean {
  return revokedAt !== '' || Date.parse(expiresAt) <= nowMs;
}

function stateOf(row: StoredLink, nowMs: number): PlayLink['state'] {
  if (row.revokedAt !== '') return 'revoked';
  if (isOver(row, nowMs)) return 'expired';
  return row.startsAt !== '' && Date.parse(row.startsAt) > nowMs ? 'waiting' : 'valid';
}

function toSeconds(time: string): number {
  return time === '' ? 0 : Math.floor(Date.parse(time) / 1000);
}
