import { expect, it } from 'vitest';
import { DelayTrend } from './delay-trend.ts';

/** Ten packets of 1000 octets each 100 ms, with this delay on clocks that have nothing to do with one another. */
function feed(trend: DelayTrend, fromMs: number, rounds: number, delayMs: (round: number) => number, lost = 0) {
  let figures: ReturnType<DelayTrend['read']>;
  for (let round = 0; round < rounds; round++) {
    const sentMs = fromMs + round * 100;
    for (let packet = 0; packet < 10; packet++) {
      if (packet < lost) trend.onLost();
      else trend.onArrived(sentMs, sentMs + 123_456 + delayMs(round), 1000);
    }
    figures = trend.read(sentMs + 60);
  }
  return figures;
}

it('reports nothing before a packet has arrived', () => {
  const trend = new DelayTrend();
  expect(trend.read(0)).toBeUndefined();
  trend.onLost();
  expect(trend.read(100)).toBeUndefined();
  expect(feed(trend, 200, 1, () => 30)).toMatchObject({ queueMs: 0, growthMs: 0 });
});

it('reports the queueing delay, its trend, and the arrival rate', () => {
  const trend = new DelayTrend();
  const calm = feed(trend, 0, 20, () => 30);
  expect(calm).toMatchObject({ queueMs: 0, growthMs: 0, lostShare: 0 });
  expect(calm?.receivedKbps).toBeGreaterThan(600);
  expect(calm?.receivedKbps).toBeLessThan(1000);
  const full = feed(trend, 2000, 10, (round) => 30 + round * 20, 3);
  expect(full?.queueMs).toBe(180);
  expect(full?.growthMs).toBeCloseTo(100, 0);
  expect(full?.lostShare).toBeCloseTo(0.3);
});

it('accepts a longer path as the new base delay after ten seconds, and a shorter one at once', () => {
  const trend = new DelayTrend();
  feed(trend, 0, 20, () => 30);
  expect(feed(trend, 2000, 1, () => 230)?.queueMs).toBe(200);
  expect(feed(trend, 2100, 110, () => 230)?.queueMs).toBe(0);
  expect(feed(trend, 13_100, 1, () => 20)?.queueMs).toBe(0);
  expect(feed(trend, 13_200, 1, () => 60)?.queueMs).toBe(40);
});
