import { expect, it } from 'vitest';
import { joinIntoGroups } from '../script/grouping.ts';
import { availableTime, fitInto } from '../steps/fit-speech.ts';
import { LoudnessMeter, longestPause, onsetNear } from './loudness.ts';
import { planParts } from './part-plan.ts';

/** 16 kHz of noise that is loud in these seconds. */
function pcmOf(seconds: number, loud: readonly (readonly [number, number])[]): Buffer {
  const pcm = Buffer.alloc(seconds * 32_000);
  for (let n = 0; n < pcm.length / 2; n++) {
    const isLoud = loud.some(([from, to]) => n >= from * 16_000 && n < to * 16_000);
    pcm.writeInt16LE(Math.round(Math.sin(n * 0.7) * (isLoud ? 8000 : 30)), n * 2);
  }
  return pcm;
}

function levelsOf(pcm: Buffer, step = 7001): Uint8Array {
  const meter = new LoudnessMeter();
  for (let at = 0; at < pcm.length; at += step) meter.push(pcm.subarray(at, at + step));
  return meter.levels;
}

it('measures loudness every hundredth of a second, however the audio is split', () => {
  const pcm = pcmOf(4, [[1, 2]]);
  const levels = levelsOf(pcm);
  expect(levels).toHaveLength(400);
  expect(levels).toEqual(levelsOf(pcm, 100_000));
  expect(levels[150]).toBeGreaterThan((levels[50] ?? 0) + 60);
});

it('finds where speech begins near the time of the recogniser', () => {
  const levels = levelsOf(
    pcmOf(6, [
      [1, 2],
      [3.5, 5],
    ]),
  );
  expect(onsetNear(levels, 0.8)).toBeCloseTo(1, 1);
  expect(onsetNear(levels, 3.8)).toBeCloseTo(3.5, 1);
  // Too far from anything that becomes loud.
  expect(onsetNear(levels, 2.6)).toBe(2.6);
});

it('cuts a film in pauses, without gaps or overlaps', () => {
  // Speech for most of each five seconds, and for less at 125 s.
  const isLoud = (second: number) => second % 5 < (Math.floor(second / 5) === 25 ? 3 : 4.6);
  const levels = Uint8Array.from({ length: 30_000 }, (_, n) => (isLoud(n / 100) ? 220 : 90));
  const parts = planParts(levels, 300);
  expect(parts.map(({ start }) => start)).toEqual([0, ...parts.slice(0, -1).map(({ end }) => end)]);
  expect(parts.at(-1)?.end).toBe(300);
  // The longest pause near two minutes.
  expect(parts[0]?.end).toBeCloseTo(129, 0);
  expect(longestPause(levels, 1, 4)).toBeUndefined();
  expect(planParts(new Uint8Array(0), 20)).toMatchObject([{ start: 0, end: 20 }]);
});

it.each([
  [1.9, 2, 3, { kind: 'fits', tempo: 1, over: 0 }],
  [2.01, 2, 3, { kind: 'fits', tempo: 1, over: 0 }],
  [2.4, 2, 3, { kind: 'fits', tempo: 1.2, over: 0 }],
  [2.9, 2, 3, { kind: 'pause', tempo: 1, over: 0 }],
  [3.5, 2, 3, { kind: 'pause', tempo: 1.17, over: 0 }],
  [5, 2, 3, { kind: 'long', tempo: 1.25, over: 1 }],
])('fits a voice of %f s into %f s, with the pause %f s', (seconds, own, withPause, fit) => {
  expect(fitInto(seconds, { own, withPause })).toEqual(fit);
});

it('gives a group the time until the next one begins, and the last one until the end', () => {
  const place = (start: number, end: number) => ({ uuid: `${start}`, partStart: 0, text: 'Yes.', start, end });
  const [a, b] = joinIntoGroups([place(1, 3), place(4, 6)]);
  if (!a || !b) throw new Error('no groups');
  expect(availableTime(a, b, 10)).toEqual({ own: 2, withPause: 2.92 });
  expect(availableTime(b, undefined, 10)).toEqual({ own: 2, withPause: 6 });
  expect(availableTime({ ...a, end: 5 }, b, 10)).toEqual({ own: 3, withPause: 3 });
});
