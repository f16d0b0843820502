import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { picture, sound } from '../frames.fixture.ts';
import { Interleaver } from './interleaver.ts';
import { defaultLimits } from './player-views.ts';

let out: string[];
let interleaver: Interleaver;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  out = [];
  interleaver = new Interleaver(({ kind, dtsMs }) => out.push(`${kind[0]}${dtsMs}`), defaultLimits);
});
afterEach(() => {
  interleaver.close();
  vi.useRealTimers();
});

/** A picture arrives, and a piece of sound goes into the conversion. */
function arrive(ms: number): void {
  interleaver.expect();
  interleaver.hold(picture(ms));
}

describe('Interleaver', () => {
  it('releases video together with the audio of the same time', () => {
    for (const ms of [0, 40, 80]) arrive(ms);
    expect(out).toEqual([]);
    for (const ms of [0, 21, 42]) interleaver.converted(sound(ms));
    expect(out).toEqual(['v0', 'a0', 'a21', 'v40', 'a42']);
    arrive(120);
    interleaver.converted(sound(130));
    expect(out).toEqual(['v0', 'a0', 'a21', 'v40', 'a42', 'v80', 'v120', 'a130']);
  });

  it('does not hold a video frame whose audio has arrived', () => {
    interleaver.converted(sound(100));
    arrive(90);
    expect(out).toEqual(['a100', 'v90']);
  });

  it('stops waiting for absent audio until it returns', () => {
    interleaver.converted(sound(0));
    arrive(40);
    vi.advanceTimersByTime(100);
    arrive(80);
    vi.advanceTimersByTime(399);
    expect(out).toEqual(['a0']);
    vi.advanceTimersByTime(10);
    expect(out).toEqual(['a0', 'v40', 'v80']);
    arrive(120);
    expect(out.at(-1)).toBe('v120');
    interleaver.converted(sound(130));
    arrive(160);
    expect(out.at(-1)).toBe('a130');
  });

  it('waits longer at the beginning and after a restart', () => {
    arrive(0);
    vi.advanceTimersByTime(5900);
    expect(out).toEqual([]);
    interleaver.converted(sound(0));
    interleaver.restart();
    arrive(40);
    vi.advanceTimersByTime(5900);
    expect(out).toEqual(['v0', 'a0']);
    vi.advanceTimersByTime(110);
    expect(out).toEqual(['v0', 'a0', 'v40']);
  });

  it('waits longer until a child that started late has processed the queued audio', () => {
    const times = Array.from({ length: 100 }, (_, i) => i * 40);
    for (const ms of times) {
      arrive(ms);
      vi.advanceTimersByTime(40);
    }
    // A machine that is short of time: a second of sound takes a quarter of one.
    for (const ms of times) {
      interleaver.converted(sound(ms));
      vi.advanceTimersByTime(10);
    }
    expect(out).toEqual(times.flatMap((ms) => [`v${ms}`, `a${ms}`]));
    arrive(4000);
    vi.advanceTimersByTime(510);
    expect(out.at(-1)).toBe('v4000');
  });

  it('counts as started though audio is always slightly behind', () => {
    for (const ms of [0, 40, 80]) arrive(ms);
    interleaver.converted(sound(0));
    vi.advanceTimersByTime(510);
    expect(out).toEqual(['v0', 'a0', 'v40', 'v80']);
  });

  it('drops audio whose video was released long ago', () => {
    for (const ms of [0, 3000]) arrive(ms);
    vi.advanceTimersByTime(6010);
    for (const ms of [0, 499, 500, 2900]) interleaver.converted(sound(ms));
    expect(out).toEqual(['v0', 'v3000', 'a500', 'a2900']);
  });

  it('keeps every frame of video that is converted late', () => {
    for (const ms of [0, 3000]) {
      interleaver.expect();
      interleaver.hold(sound(ms));
    }
    vi.advanceTimersByTime(6010);
    for (const ms of [0, 40, 80]) interleaver.converted(picture(ms));
    expect(out).toEqual(['a0', 'a3000', 'v0', 'v40', 'v80']);
  });

  it('does not wait when the source has no audio', () => {
    interleaver.hold(picture(0));
    arrive(40);
    vi.advanceTimersByTime(600);
    interleaver.hold(picture(80));
    expect(out).toEqual(['v0', 'v40', 'v80']);
  });

  it('holds no frame for ever, and none after its end', () => {
    for (let ms = 0; ms < 10_000; ms += 40) {
      arrive(ms);
      vi.advanceTimersByTime(40);
    }
    expect(out.length).toBeGreaterThan(190);
    interleaver.close();
    vi.advanceTimersByTime(5000);
    expect(out.length).toBeLessThanOrEqual(250);
  });
});
