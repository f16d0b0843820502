import { expect, it } from 'vitest';
import { firstRung, QualityChoice, type Rung } from './quality-choice.ts';

const rungs: readonly Rung[] = [
  { kbps: 2500, groupBytes: 600_000 },
  { kbps: 800, groupBytes: 200_000 },
  { kbps: 250, groupBytes: 15_000 },
];
const good = { queueMs: 3, growthMs: 0, receivedKbps: 2500, lostShare: 0 };
const full = { queueMs: 180, growthMs: 80, receivedKbps: 1900, lostShare: 0 };

/** Reports ten times a second. */
function run(choice: QualityChoice, from: number, to: number, figures = good, current = 0) {
  for (let ms = from; ms < to; ms += 100) {
    const step = choice.onFigures(figures, 0, { rungs, current }, ms);
    if (step) return { step, ms };
    choice.poll(rungs, current, ms);
  }
  return undefined;
}

it('goes down after two bad reports: to what passes at once, then to what fits', () => {
  const choice = new QualityChoice(0);
  run(choice, 0, 5000);
  expect(run(choice, 5000, 6000, full)).toEqual({ step: { atOnce: 2, later: 1 }, ms: 5100 });
});

it.each([
  ['a long queue that does not grow', { ...full, growthMs: 0, queueMs: 300 }],
  ['loss', { ...good, lostShare: 0.2 }],
])('goes down for %s', (_what, figures) => {
  const choice = new QualityChoice(0);
  run(choice, 0, 5000);
  expect(run(choice, 5000, 6000, figures)?.step.atOnce).toBe(2);
});

it('does not take a keyframe for a full line, nor a short queue, nor the first second after a change', () => {
  const choice = new QualityChoice(0);
  for (let ms = 2000; ms < 4000; ms += 100) {
    expect(choice.onFigures(full, 170, { rungs, current: 0 }, ms)).toBeUndefined();
    expect(choice.onFigures({ ...full, queueMs: 90 }, 0, { rungs, current: 0 }, ms)).toBeUndefined();
  }
  choice.onChanged(false, 4000);
  expect(run(choice, 4000, 5000, full)).toBeUndefined();
});

it('leaves the lowest quality to congestion control', () => {
  expect(run(new QualityChoice(0), 2000, 6000, { ...full, receivedKbps: 100 }, 2)).toBeUndefined();
});

it('goes up after a probe whose packets arrive, and tries later after each that fails', () => {
  const choice = new QualityChoice(0);
  const probes: number[] = [];
  let nowMs = 0;
  const pass = (ms: number, figures: (isProbing: boolean) => typeof good) => {
    for (const endMs = nowMs + ms; nowMs < endMs; nowMs += 50) {
      choice.onFigures(figures(choice.probeKbps(nowMs) > 0), 0, { rungs, current: 1 }, nowMs);
      if (choice.poll(rungs, 1, nowMs)) probes.push(nowMs);
    }
  };
  pass(20_000, (isProbing) => (isProbing ? { ...full, receivedKbps: 1200 } : { ...good, receivedKbps: 800 }));
  expect(choice.mayGoUp).toBe(false);
  const pauses = probes.slice(1).map((ms, n) => ms - (probes[n] ?? 0));
  expect(probes[0]).toBe(1000);
  expect(pauses.length).toBeGreaterThan(3);
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  pass(40_000, (isProbing) => ({ ...good, receivedKbps: isProbing ? 3000 : 2800 }));
  expect(choice.mayGoUp).toBe(true);
  choice.onChanged(true, nowMs);
  expect(choice.mayGoUp).toBe(false);
});

it('waits longer when it comes down again soon after it went up', () => {
  const waits: number[] = [];
  const choice = new QualityChoice(0);
  let nowMs = 0;
  for (let round = 0; round < 4; round++) {
    const fromMs = nowMs;
    for (; !choice.mayGoUp; nowMs += 50) {
      choice.onFigures({ ...good, receivedKbps: 3000 }, 0, { rungs, current: 1 }, nowMs);
      choice.poll(rungs, 1, nowMs);
    }
    waits.push(nowMs - fromMs);
    choice.onChanged(true, nowMs);
    nowMs += 1000;
    while (!choice.onFigures(full, 0, { rungs, current: 0 }, nowMs)) nowMs += 50;
    choice.onChanged(false, nowMs);
  }
  expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  expect(waits[3]).toBeGreaterThan(3 * (waits[0] ?? 0));
});

it('begins with the best quality that most lines carry', () => {
  expect(firstRung(rungs)).toBe(1);
  expect(firstRung([{ kbps: 1200, groupBytes: 0 }])).toBe(0);
  expect(
    firstRung([
      { kbps: 9000, groupBytes: 0 },
      { kbps: 4000, groupBytes: 0 },
    ]),
  ).toBe(1);
});
