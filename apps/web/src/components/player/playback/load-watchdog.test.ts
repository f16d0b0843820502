import Hls from 'hls.js';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LoadWatchdog } from './load-watchdog.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** Parts of a third of a second, of which every sixth starts with a keyframe. */
const parts = Array.from({ length: 12 }, (_, index) => ({ start: 8 + index / 3, independent: index % 6 === 0 }));

/** A playback at 9.8 s whose buffer is set by hand, and the positions it was sent to. */
function stage() {
  const listeners = new Map<string, (event: string, data: unknown) => void>();
  const hls = { on: (event: string, listener: () => void) => listeners.set(event, listener) };
  const sought: number[] = [];
  const state = { paused: false, seeking: false, end: 9.92 };
  const video = {
    get paused() {
      return state.paused;
    },
    get seeking() {
      return state.seeking;
    },
    get currentTime() {
      return 9.8;
    },
    set currentTime(seconds: number) {
      sought.push(seconds);
    },
    get buffered() {
      return { length: 1, start: () => 0, end: () => state.end };
    },
  };
  new LoadWatchdog(Hls, hls as unknown as Hls, video as unknown as HTMLVideoElement);
  const emit = (event: string, data: unknown = {}) => listeners.get(event)?.(event, data);
  const playlist = (afterMs: number, partList: unknown = parts) => {
    vi.advanceTimersByTime(afterMs);
    emit(Hls.Events.LEVEL_UPDATED, { details: { partList } });
    return sought.length;
  };
  return { state, sought, playlist, loaded: () => emit(Hls.Events.FRAG_LOADED) };
}

it('seeks to the next part with a keyframe when playlists arrive and no part does, less often while that does not help', () => {
  const { sought, playlist, loaded } = stage();
  expect(playlist(700)).toBe(0);
  expect(playlist(200)).toBe(1);
  expect(sought[0]).toBeCloseTo(10.05);
  expect(playlist(1500)).toBe(1);
  expect(playlist(200)).toBe(2);
  loaded();
  expect(playlist(700)).toBe(2);
  expect(playlist(200)).toBe(3);
});

it.each([
  ['has enough to play', { end: 13 }, parts],
  ['has all parts that the playlist has', {}, parts.slice(0, 6)],
  ['is paused', { paused: true }, parts],
  ['is seeking', { seeking: true }, parts],
  ['has whole segments only', {}, null],
])('leaves a playback alone that %s', (_title, changes, partList) => {
  const { state, playlist } = stage();
  Object.assign(state, changes);
  expect(playlist(10_000, partList)).toBe(0);
});
