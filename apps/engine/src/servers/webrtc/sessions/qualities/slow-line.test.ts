import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { QualityLine } from './line.fixture.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('begins with what most lines carry, and goes up within seconds', () => {
  const line = new QualityLine();
  line.pass(200);
  expect(line.layer).toBe(1);
  line.pass(5000);
  expect(line.layer).toBe(0);
  expect(line.longestGapMs(0)).toBeLessThan(100);
});

it('shows a lower quality about a second after the line was halved, and the best one again after it recovered', () => {
  const line = new QualityLine();
  line.kbps = 4000;
  line.pass(8000);
  expect(line.layer).toBe(0);
  const lowerAfter: number[] = [];
  const upAfter: number[] = [];
  const gaps: number[] = [];
  for (let round = 0; round < 10; round++) {
    // Not always at the same place in the group of pictures.
    line.pass(170);
    const halvedMs = line.nowMs;
    line.kbps = 2000;
    line.pass(10_000);
    const lower = line.shown.find(({ layer, atMs }) => layer > 0 && atMs > halvedMs);
    lowerAfter.push((lower?.atMs ?? Number.POSITIVE_INFINITY) - halvedMs);
    gaps.push(line.longestGapMs(lower?.atMs ?? 0));
    line.kbps = 4000;
    const restoredMs = line.nowMs;
    for (let waited = 0; waited < 40_000 && line.layer !== 0; waited += 100) line.pass(100);
    upAfter.push(line.nowMs - restoredMs);
    line.pass(7000);
  }
  // Once the line is halved while a keyframe of the best quality is in it. What is lost is not repaired here.
  expect(lowerAfter.toSorted((a, b) => a - b)[8]).toBeLessThan(1200);
  expect(Math.max(...upAfter)).toBeLessThan(10_000);
  expect(Math.max(...gaps)).toBeLessThan(200);
  const steps = line.heard.slice(1).map(({ sequence }, n) => (sequence - (line.heard[n]?.sequence ?? 0)) & 0xffff);
  expect(steps.filter((step) => step !== 1).length).toBeLessThan(line.heard.length / 500);
});

it('takes what fits, not what passes at once, at its next keyframe', () => {
  const line = new QualityLine();
  line.kbps = 4000;
  line.pass(8170);
  line.kbps = 2000;
  line.pass(1000);
  expect(line.layer).toBe(2);
  line.pass(3000);
  expect(line.layer).toBe(1);
});

it('leaves the lowest quality to congestion control, which sends keyframes and all audio', () => {
  const line = new QualityLine();
  line.pass(6000);
  line.kbps = 220;
  line.pass(10_000);
  expect(line.viewer.facts).toMatchObject({ keyframesOnly: 1, qualityLines: 180 });
  const fromMs = line.nowMs;
  line.pass(8000);
  expect(line.heard.filter(({ atMs }) => atMs > fromMs).length).toBeGreaterThan(380);
  expect(line.shown.filter(({ atMs }) => atMs > fromMs).length).toBeGreaterThan(0);
});

it('keeps the quality that a viewer asked for, whatever its line', () => {
  const lowest = new QualityLine('180p');
  lowest.pass(8000);
  expect(new Set(lowest.shown.map(({ layer }) => layer))).toEqual(new Set([2]));
  const best = new QualityLine('');
  best.kbps = 2800;
  best.pass(8000);
  expect(new Set(best.shown.map(({ layer }) => layer))).toEqual(new Set([0]));
});

it.each(['h264', 'vp9'] as const)(
  'changes to a quality that is asked for in a session with %s, without a pause',
  (codec) => {
    const line = new QualityLine(undefined, codec);
    line.pass(5000);
    expect(line.layer).toBe(0);
    for (const [name, layer] of [
      ['180p', 2],
      ['360p', 1],
      ['', 0],
      ['180p', 2],
    ] as const) {
      const fromMs = line.nowMs;
      line.viewer.chooseQuality(name);
      line.pass(2200);
      expect(line.layer).toBe(layer);
      line.pass(4000);
      expect(line.layer).toBe(layer);
      expect(line.longestGapMs(fromMs)).toBeLessThan(100);
    }
    // The line decides again.
    line.viewer.chooseQuality(undefined);
    line.pass(12_000);
    expect(line.layer).toBe(0);
    const steps = line.ids.slice(1).map((id, n) => (id - (line.ids[n] ?? 0)) & 0x7fff);
    expect(steps.filter((step) => step !== 1)).toEqual([]);
    expect(line.ids.length > 0).toBe(codec === 'vp9');
  },
);

it('goes on with the best quality when its own is no longer sent', () => {
  const line = new QualityLine();
  line.pass(500);
  expect(line.layer).toBe(1);
  const endedMs = line.nowMs;
  line.end(1);
  line.pass(400);
  expect(line.layer).toBe(0);
  expect(line.longestGapMs(endedMs - 100)).toBeLessThan(100);
});
