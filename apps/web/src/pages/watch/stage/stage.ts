import type { WatchedStream } from '@weir/contract';
import type { PlayerState } from '../../../components/player/session/player-state.ts';

/** Content of the video's place. `play`: the video itself. */
export type Stage =
  | 'play'
  | 'offline'
  | 'countdown'
  | 'soon'
  | 'ended'
  | 'password'
  | 'link'
  | 'token'
  | 'invalid'
  | 'expired'
  | 'notYet'
  | 'revoked'
  | 'network'
  | 'site'
  | 'address'
  | 'refused';

interface Facts {
  readonly watched: WatchedStream;
  /** The stream was live while this page was open. */
  readonly wasLive: boolean;
  readonly nowMs: number;
}

/** Time after the announced start in which a late stream is still expected. */
const lateMs = 30 * 60_000;

export function stageOf({ watched, wasLive, nowMs }: Facts): Stage {
  const { refusal, mode, isLive, page } = watched;
  if (refusal === '' || refusal === 'devices' || refusal === 'full') {
    if (isLive) return 'play';
    return offStage(page, wasLive, nowMs);
  }
  if (mode === 'password' && ['no-token', 'invalid', 'other-stream', 'expired', 'revoked'].includes(refusal))
    return 'password';
  switch (refusal) {
    case 'no-token':
      return mode === 'token' ? 'token' : 'link';
    case 'other-stream':
      return 'invalid';
    case 'not-yet':
      return 'notYet';
    default:
      return refusal;
  }
}

/** End of the link by which a viewer came to a stream with a password; undefined for other tokens. */
export function endedLinkOf({ refusal }: WatchedStream, token: string): 'revoked' | 'expired' | undefined {
  if (refusal !== 'revoked' && refusal !== 'expired') return undefined;
  return token === '' || isOfPassword(token) ? undefined : refusal;
}

/** True for a token that a password was exchanged for. */
function isOfPassword(token: string): boolean {
  try {
    const body = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return String(JSON.parse(atob(body)).jti).startsWith('password.');
  } catch {
    return false;
  }
}

function offStage({ startsAt, endsAt }: WatchedStream['page'], wasLive: boolean, nowMs: number): Stage {
  const startMs = startsAt === '' ? Number.NaN : Date.parse(startsAt);
  const endMs = endsAt === '' ? Number.NaN : Date.parse(endsAt);
  if (startMs > nowMs) return 'countdown';
  if (wasLive || endMs <= nowMs) return 'ended';
  return nowMs - startMs < lateMs ? 'soon' : 'offline';
}

/** Notes over the video while it cannot play. */
export type PlayerNote =
  | 'none'
  | 'loading'
  | 'reconnecting'
  | 'full'
  | 'devices'
  | 'refused'
  | 'unsupported'
  | 'gesture';

export function noteOf({ phase, failure, needsGesture }: PlayerState, isByLink: boolean): PlayerNote {
  if (phase === 'loading' || phase === 'stalled') return 'loading';
  if (phase === 'waiting') return failure?.kind === 'busy' ? 'full' : 'reconnecting';
  if (phase === 'failed') {
    if (failure?.kind === 'refused') return isByLink ? 'devices' : 'refused';
    return 'unsupported';
  }
  if (phase === 'paused' || phase === 'idle') return needsGesture ? 'gesture' : 'none';
  return 'none';
}

/** Time until the page looks again whether anything changed. */
export function nextLookMs({ watched, stage, kind, nowMs }: LookFacts): number {
  // Browsers play what HLS has loaded to its end, so the page must notice that the permission ended. Sessions of WebRTC are closed at once.
  if (stage === 'play') return watched.mode !== 'open' && kind === 'hls' ? 1200 : 10_000;
  const untilStartMs = watched.page.startsAt === '' ? Number.NaN : Date.parse(watched.page.startsAt) - nowMs;
  if (stage === 'countdown' && untilStartMs > 60_000) return Math.min(30_000, untilStartMs - 30_000);
  return ['countdown', 'soon', 'offline', 'ended'].includes(stage) ? 3000 : 10_000;
}

interface LookFacts {
  readonly watched: WatchedStream;
  readonly stage: Stage;
  readonly kind: string | undefined;
  readonly nowMs: number;
}
