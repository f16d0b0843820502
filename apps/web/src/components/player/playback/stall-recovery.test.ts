import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { StallRecovery } from './stall-recovery.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A video element whose state is set by hand, and the positions it was sent to. */
function stage() {
  const sought: number[] = [];
  const state = { paused: false, seeking: false, readyState: 4, at: 10, end: 10 };
  const video = {
    get paused() {
      return state.paused;
    },
    get seeking() {
      return state.seeking;
    },
    get readyState() {
      return state.readyState;
    },
    get currentTime() {
      return state.at;
    },
    set currentTime(seconds: number) {
      sought.push(seconds);
    },
    get buffered() {
      return { length: 1, start: () => 0, end: () => state.end };
    },
  };
  const recovery = new StallRecovery(video as unknown as HTMLVideoElement);
  return { state, sought, recovery };
}

it('seeks to the same place when a stalled video has half a second to show', () => {
  const { state, sought, recovery } = stage();
  vi.advanceTimersByTime(1000);
  state.readyState = 2;
  state.end = 10.3;
  vi.advanceTimersByTime(3000);
  expect(sought).toEqual([]);
  state.end = 10.6;
  vi.advanceTimersByTime(100);
  expect(sought).toEqual([10]);
  recovery.close();
});

it('waits for more when a video stalls again and again, and for less after a calm time', () => {
  const { state, sought, recovery } = stage();
  const stall = (bufferedSeconds: number) => {
    state.end = state.at + bufferedSeconds;
    state.readyState = 2;
    vi.advanceTimersByTime(2000);
    state.readyState = 4;
    vi.advanceTimersByTime(500);
    return sought.splice(0).length > 0;
  };
  expect([stall(0.6), stall(0.6), stall(1.1), stall(1.1), stall(1.6)]).toEqual([true, false, false, false, true]);
  vi.advanceTimersByTime(20_000);
  expect(stall(0.6)).toBe(true);
  recovery.close();
});

it.each([
  ['plays', { readyState: 3 }],
  ['is paused', { paused: true }],
  ['is seeking', { seeking: true }],
  ['has not begun', { at: 0 }],
])('does nothing while the video %s', (_title, changes) => {
  const { state, sought, recovery } = stage();
  Object.assign(state, { readyState: 2, end: 20 }, changes);
  vi.advanceTimersByTime(5000);
  expect(sought).toEqual([]);
  recovery.close();
});
