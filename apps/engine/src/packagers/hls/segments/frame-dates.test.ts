import { describe, expect, it } from 'vitest';
import { frameAt } from '../hls-source.fixture.ts';
import { FrameDates } from './frame-dates.ts';

interface Line {
  /** Excess speed of the publisher's clock, as a share. */
  readonly fast?: number;
  readonly seconds: number;
  readonly segmentMs?: number;
  /** Delay of a frame sent at this time. */
  readonly delayMs?: (sentMs: number) => number;
}

let seed = 11;
const random = () => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
};

/** Errors of segment dates against the capture of their first frame, in milliseconds. */
function errors(dates: FrameDates, clock: { nowMs: number }, line: Line, fromMs = 0): number[] {
  const { fast = 0, seconds, segmentMs = 10_000, delayMs = () => 0 } = line;
  const beginMs = clock.nowMs;
  const found: number[] = [];
  let opened = { dtsMs: fromMs, madeMs: beginMs };
  for (let madeMs = beginMs; madeMs < beginMs + 1000 * seconds; madeMs += 40) {
    const dtsMs = fromMs + Math.round((madeMs - beginMs) * (1 + fast));
    // A line keeps the order of what it delays.
    clock.nowMs = Math.max(clock.nowMs, madeMs + delayMs(madeMs - beginMs));
    if (dtsMs - opened.dtsMs >= segmentMs) {
      found.push(dates.of(opened.dtsMs) - opened.madeMs);
      opened = { dtsMs, madeMs };
    }
    dates.observe(frameAt(dtsMs, 'video'));
  }
  return found;
}

function start() {
  const clock = { nowMs: Date.UTC(2026, 0, 2) };
  return { clock, dates: new FrameDates(() => clock.nowMs) };
}

const worst = (found: readonly number[]) => Math.max(...found.map(Math.abs));
const halfHour = 1800;

describe('FrameDates', () => {
  it.each([
    ['right', 0],
    ['0.1 % fast', 0.001],
    ['0.1 % slow', -0.001],
    ['0.5 % fast', 0.005],
  ])('stays with the clock of this machine when the publisher is %s', (_name, fast) => {
    for (const segmentMs of [2000, 10_000, 20_000]) {
      const { clock, dates } = start();
      const found = errors(dates, clock, { fast, seconds: halfHour, segmentMs, delayMs: () => 20 + 180 * random() });
      expect(worst(found)).toBeLessThan(300);
      expect(worst(found.slice(5)), `segments of ${segmentMs} ms`).toBeLessThan(150);
    }
  });

  it('corrects the date gradually from one segment to the next', () => {
    const { clock, dates } = start();
    const found = errors(dates, clock, { fast: 0.001, seconds: halfHour, delayMs: () => 100 * random() });
    for (const [index, error] of found.entries())
      expect(Math.abs(error - (found[index - 1] ?? error))).toBeLessThanOrEqual(200);
  });

  it('is not moved by a connection that stalls for five seconds and then sends everything', () => {
    const { clock, dates } = start();
    const blackout = (sentMs: number) => (sentMs > 60_000 && sentMs < 65_000 ? 65_000 - sentMs : 30 * random());
    expect(worst(errors(dates, clock, { seconds: 180, fast: 0.001, delayMs: blackout }))).toBeLessThan(300);
  });

  it('is right from the first segment, also when the first frames come late or all at once', () => {
    const late = start();
    const busy = errors(late.dates, late.clock, {
      seconds: 60,
      delayMs: (sentMs) => (sentMs < 2000 ? 2000 - sentMs : 0),
    });
    expect(worst(busy)).toBeLessThan(300);
  });

  it('restarts with a publisher that returns', () => {
    const { clock, dates } = start();
    errors(dates, clock, { seconds: 120, fast: 0.001 });
    const gone = clock.nowMs;
    clock.nowMs += 12_345;
    dates.restart();
    const found = errors(dates, clock, { seconds: 120, fast: -0.001, delayMs: () => 200 * random() }, 120_140);
    expect(clock.nowMs).toBeGreaterThan(gone);
    expect(worst(found)).toBeLessThan(300);
  });

  it('follows the clock of this machine when that is set', () => {
    const { clock, dates } = start();
    errors(dates, clock, { seconds: 60 });
    clock.nowMs += 3_600_000;
    expect(worst(errors(dates, clock, { seconds: 120 }, 60_000).slice(2))).toBeLessThan(300);
  });

  it('reports how late frames are compared with the earliest', () => {
    const { clock, dates } = start();
    errors(dates, clock, { seconds: 30, delayMs: (sentMs) => (sentMs % 600 === 0 ? 150 : 0) });
    expect(dates.jitterMs).toBe(150);
    expect(start().dates.jitterMs).toBe(0);
  });

  it('does not count a single delay as jitter', () => {
    const { clock, dates } = start();
    errors(dates, clock, {
      seconds: 30,
      delayMs: (sentMs) => (sentMs > 20_000 && sentMs < 21_000 ? 21_000 - sentMs : 20),
    });
    expect(dates.jitterMs).toBeLessThan(50);
  });
});
