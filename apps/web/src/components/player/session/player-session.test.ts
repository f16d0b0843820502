import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Playback, PlaybackError, type PlaybackRequest } from '../playback/playback.ts';
import type { FailureKind } from './player-failure.ts';
import { PlayerSession } from './player-session.ts';
import type { SourceKind } from './player-source.ts';
import { idleState, type PlayerState } from './player-state.ts';

/** Playbacks whose outcome the test decides. */
class Ways {
  readonly opened: string[] = [];
  readonly closed: string[] = [];
  readonly failing = new Map<SourceKind, FailureKind>();
  request: PlaybackRequest | undefined;
  progress = 0;
  delayMs = 2000;
  soughtLive = 0;

  readonly open = async (kind: SourceKind, request: PlaybackRequest): Promise<Playback> => {
    this.opened.push(kind);
    this.request = request;
    const failure = this.failing.get(kind);
    if (failure) throw new PlaybackError({ kind: failure });
    return {
      measure: () => ({ bitrateKbps: 500, delayMs: this.delayMs, progress: this.progress }),
      seekToLive: () => (this.soughtLive += 1),
      close: () => this.closed.push(kind),
    };
  };
}

let ways: Ways;
let state: PlayerState;
let session: PlayerSession;
let video: HTMLVideoElement;

function start(...kinds: SourceKind[]): void {
  const open = (kind: SourceKind) => (request: PlaybackRequest) => ways.open(kind, request);
  session = new PlayerSession({
    video,
    sources: kinds.map((kind) => ({ kind, url: `http://weir.test/${kind}` })),
    open: { flv: open('flv'), hls: open('hls'), whep: open('whep'), ts: open('ts'), file: open('file') },
    isMuted: true,
    onChange: (next) => {
      state = next;
    },
  });
  session.play();
}

const show = (event: string) => video.dispatchEvent(new Event(event));
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  ways = new Ways();
  state = idleState;
  video = document.createElement('video');
  video.play = vi.fn(async () => undefined);
  video.pause = vi.fn();
});
afterEach(() => {
  session.close();
  vi.useRealTimers();
});

describe('a player session', () => {
  it('opens the first source and measures once a second', async () => {
    start('flv', 'hls');
    await pass(0);
    show('playing');
    expect(state).toMatchObject({ phase: 'playing', source: { kind: 'flv' } });
    await pass(1000);
    expect(state.statistics.bitrateKbps).toBe(500);
  });

  it('falls back to the next source if the browser cannot play one', async () => {
    ways.failing.set('whep', 'unsupported').set('flv', 'codec');
    start('whep', 'flv', 'hls');
    await pass(0);
    expect(ways.opened).toEqual(['whep', 'flv', 'hls']);
  });

  it('reports the failure of the last source', async () => {
    ways.failing.set('flv', 'codec');
    start('flv');
    await pass(0);
    expect(state).toMatchObject({ phase: 'failed', failure: { kind: 'codec' } });
    await pass(60_000);
    expect(ways.opened).toEqual(['flv']);
  });

  it('retries a stream that is not live with growing delays and starts when it is', async () => {
    ways.failing.set('flv', 'not-found');
    start('flv');
    await pass(0);
    expect(state).toMatchObject({ phase: 'waiting', failure: { kind: 'not-found' } });
    await pass(999);
    expect(ways.opened).toHaveLength(1);
    await pass(1 + 2000 + 4000);
    expect(ways.opened).toHaveLength(4);
    ways.failing.clear();
    await pass(5000);
    expect(state.phase).toBe('waiting');
    show('playing');
    expect(state).toMatchObject({ phase: 'playing', failure: undefined });
  });

  it('reconnects after the publisher left and resets the attempts', async () => {
    start('flv');
    await pass(0);
    show('playing');
    ways.request?.events.onFailure({ kind: 'ended' });
    expect(state.phase).toBe('waiting');
    expect(ways.closed).toEqual(['flv']);
    await pass(1000);
    show('playing');
    expect(state.phase).toBe('playing');
    expect(ways.opened).toHaveLength(2);
  });

  it('reopens at once without a waiting state if only the session is lost', async () => {
    start('flv');
    await pass(0);
    show('playing');
    ways.request?.events.onFailure({ kind: 'network', canReopenAtOnce: true });
    expect(state).toMatchObject({ phase: 'loading', failure: undefined });
    await pass(0);
    expect(ways.opened).toHaveLength(2);
    // A second failure before playback counts like any other.
    ways.request?.events.onFailure({ kind: 'network', canReopenAtOnce: true });
    expect(state.phase).toBe('waiting');
    await pass(0);
    expect(ways.opened).toHaveLength(2);
  });

  it('reconnects after eight seconds without media', async () => {
    start('whep');
    await pass(0);
    show('playing');
    for (let second = 0; second < 5; second += 1) {
      ways.progress += 25;
      await pass(1000);
    }
    expect(ways.opened).toHaveLength(1);
    await pass(9000);
    expect(state.phase).toBe('waiting');
    await pass(1000);
    expect(ways.opened).toHaveLength(2);
  });

  it('F22: reconnects at once when the network is back', async () => {
    ways.failing.set('hls', 'network');
    start('hls');
    await pass(60_000);
    expect(state.phase).toBe('waiting');
    const tries = ways.opened.length;
    ways.failing.clear();
    window.dispatchEvent(new Event('online'));
    await pass(0);
    expect(ways.opened).toHaveLength(tries + 1);
    show('playing');
    expect(state.phase).toBe('playing');
    // No effect while playing.
    window.dispatchEvent(new Event('online'));
    await pass(0);
    expect(ways.opened).toHaveLength(tries + 1);
  });

  it('F22: seeks to the live edge when its page becomes visible far behind it, and only then', async () => {
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(false);
    const wake = async (delayMs: number) => {
      hidden.mockReturnValue(true);
      document.dispatchEvent(new Event('visibilitychange'));
      ways.delayMs = delayMs;
      await pass(120_000);
      hidden.mockReturnValue(false);
      document.dispatchEvent(new Event('visibilitychange'));
      await pass(0);
    };
    start('hls');
    await pass(0);
    show('playing');
    await pass(1000);
    await wake(2500);
    expect(ways.soughtLive).toBe(0);
    await wake(120_000);
    expect(ways.soughtLive).toBe(1);
    expect(ways.opened).toHaveLength(1);
    hidden.mockRestore();
  });

  it('counts stalls and ignores events of abandoned attempts', async () => {
    start('flv');
    await pass(0);
    const old = ways.request;
    show('playing');
    show('waiting');
    expect(state.phase).toBe('stalled');
    show('playing');
    await pass(1000);
    expect(state.statistics.stalls).toBe(1);
    session.pause();
    session.close();
    const last = state;
    old?.events.onFailure({ kind: 'codec' });
    expect(state).toBe(last);
  });

  it('plays muted if autoplay with audio is blocked, and asks for a gesture if all autoplay is', async () => {
    const refused = Object.assign(new Error('no'), { name: 'NotAllowedError' });
    const play = vi.fn(async () => undefined).mockRejectedValueOnce(refused);
    video.play = play;
    start('flv');
    video.muted = false;
    await pass(0);
    expect(video.muted).toBe(true);
    expect(play).toHaveBeenCalledTimes(2);
    play.mockRejectedValue(refused);
    session.pause();
    session.play();
    await pass(0);
    expect(state).toMatchObject({ phase: 'paused', needsGesture: true });
  });

  it('disconnects ten seconds after a pause and resumes live', async () => {
    start('flv');
    await pass(0);
    show('playing');
    session.pause();
    await pass(9000);
    expect(ways.closed).toEqual([]);
    await pass(2000);
    expect(ways.closed).toEqual(['flv']);
    session.play();
    await pass(0);
    expect(ways.opened).toHaveLength(2);
  });

  it('asks the server for the quality that the viewer chose where the player cannot choose itself', async () => {
    start('whep');
    await pass(0);
    show('playing');
    session.chooseQuality('360p');
    await pass(0);
    expect([ways.request?.url, state.quality]).toEqual(['http://weir.test/whep?quality=360p', '360p']);
    session.chooseQuality(undefined);
    await pass(0);
    expect(ways.request?.url).toBe('http://weir.test/whep');
    expect(ways.opened).toEqual(['whep', 'whep', 'whep']);
  });

  it('keeps the chosen quality of HLS when it reconnects', async () => {
    const chosen: (string | undefined)[] = [];
    const { open } = ways;
    Object.assign(ways, {
      open: async (kind: SourceKind, request: PlaybackRequest) =>
        Object.assign(await open(kind, request), { chooseQuality: (name?: string) => chosen.push(name) }),
    });
    start('hls');
    await pass(0);
    session.chooseQuality('360p');
    ways.request?.events.onFailure({ kind: 'network' });
    await pass(10_000);
    expect(ways.opened).toEqual(['hls', 'hls']);
    expect(chosen).toEqual(['360p', '360p']);
  });
});
