import { describe, expect, it } from 'vitest';
import { AudioClock } from './audio-clock.ts';

const packet = 960;
const ticksPerMs = 48;

/** Timestamps of packets of 20 ms that the stream's clock has at these times. */
const stamps = (clock: AudioClock, timesMs: readonly number[], samples = packet) =>
  timesMs.map((ms) => clock.next(ms * ticksPerMs, samples));
const steps = (all: readonly number[]) => all.slice(1).map((stamp, index) => stamp - (all[index] ?? 0));
const every = (count: number, timeMs: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => timeMs(index));

describe('RTP timestamps of audio', () => {
  it('count samples, regardless of rounded or jittering times', () => {
    // RTMP tells when a frame of AAC begins, in whole milliseconds, and packets of Opus are cut from those.
    const aacMs = 1024 / 44.1;
    const rounded = every(3000, (n) => {
      const frame = Math.floor((n * 20) / aacMs);
      return Math.floor(frame * aacMs) + n * 20 - frame * aacMs;
    });
    expect(new Set(steps(stamps(new AudioClock(), rounded)))).toEqual(new Set([packet]));
    for (const ms of [20, 10]) {
      const samples = ms * ticksPerMs;
      const jittering = every(3000, (n) => n * ms + 9 * Math.sin(n));
      expect(new Set(steps(stamps(new AudioClock(), jittering, samples)))).toEqual(new Set([samples]));
    }
  });

  it('leave room for missing samples at once', () => {
    const clock = new AudioClock();
    expect(stamps(clock, [0, 20, 60, 80, 500, 520]).map((stamp) => stamp / ticksPerMs)).toEqual([
      0, 20, 60, 80, 500, 520,
    ]);
    expect(stamps(clock, [540, 560, 580], 480).map((stamp) => stamp / ticksPerMs)).toEqual([540, 560, 580]);
    // Joined packets, of which one is missing between.
    expect(stamps(clock, [590, 630, 690], 1920).map((stamp) => stamp / ticksPerMs)).toEqual([590, 630, 690]);
  });

  it.each([1.0005, 0.9995])(
    'never go back nor jump in a day of a clock that runs %f as fast as its samples',
    (pace) => {
      const clock = new AudioClock();
      for (let n = 0; n < 4_320_000; n++) {
        const streamTicks = Math.floor(n * 20 * pace) * ticksPerMs;
        const stamp = clock.next(streamTicks, packet);
        if (stamp !== n * packet) expect(stamp).toBe(n * packet);
        // Reports tell where a packet is on the stream's clock, to a millisecond and a half.
        if (n > 500 && Math.abs(clock.at(streamTicks) - stamp) > 72) expect(clock.at(streamTicks)).toBeCloseTo(stamp);
      }
    },
  );

  it('continue after a discontinuity, and map to the right times from the first packet on', () => {
    const clock = new AudioClock();
    stamps(clock, [0, 20, 40]);
    clock.seam();
    // Behind what was sent already: nothing is thrown away.
    expect(clock.next(45 * ticksPerMs, packet)).toBe(60 * ticksPerMs);
    expect(clock.at(45 * ticksPerMs)).toBe(60 * ticksPerMs);
    clock.seam();
    // 7 ms of nothing, which is heard as such.
    expect(clock.next(72 * ticksPerMs, packet)).toBe(87 * ticksPerMs);
    expect(clock.at(72 * ticksPerMs)).toBe(87 * ticksPerMs);
  });

  it('are followed by sender reports within seconds when the times of a publisher go back', () => {
    const clock = new AudioClock();
    stamps(
      clock,
      every(100, (n) => n * 20),
    );
    const back = every(500, (n) => 1000 + n * 20);
    expect(new Set(steps(stamps(clock, back)))).toEqual(new Set([packet]));
    expect(Math.abs(clock.at(1000 * ticksPerMs) - 2000 * ticksPerMs)).toBeLessThan(20 * ticksPerMs);
  });
});
