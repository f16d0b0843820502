import { expect, it } from 'vitest';
import { PlayoutDelay } from './playout-delay.ts';

/** Feedback ten times a second; tells the delay at the end. */
function run(delay: PlayoutDelay, seconds: { from: number; to: number }, lostShare: number): number {
  let told = 0;
  for (let ms = seconds.from * 1000; ms < seconds.to * 1000; ms += 100) {
    delay.onLost(lostShare, ms);
    told = delay.at(ms);
  }
  return told;
}

it('is zero on a line without loss, or with a short round trip', () => {
  const delay = new PlayoutDelay();
  delay.onRoundTrip(400, 0);
  expect(run(delay, { from: 0, to: 60 }, 0)).toBe(0);
  delay.onRoundTrip(30, 0);
  expect(run(delay, { from: 60, to: 90 }, 0.05)).toBe(0);
});

it('leaves time for retransmission on a long lossy path, grows with each frame, and is at most a second', () => {
  const delay = new PlayoutDelay();
  delay.onRoundTrip(400, 0);
  const early = run(delay, { from: 0, to: 0.3 }, 0.05);
  expect(early).toBeGreaterThan(0);
  expect(early).toBeLessThan(760);
  expect(run(delay, { from: 0.3, to: 10 }, 0.05)).toBe(760);
  delay.onRoundTrip(5000, 0);
  expect(run(delay, { from: 10, to: 20 }, 0.05)).toBe(1000);
});

it('uses the delay of packets before a report contains the round trip', () => {
  const delay = new PlayoutDelay();
  delay.onRoundTrip(20, 190);
  expect(run(delay, { from: 0, to: 5 }, 0.05)).toBe(570);
  delay.onRoundTrip(400, 190);
  expect(run(delay, { from: 5, to: 10 }, 0.05)).toBe(760);
});

it('shrinks slowly after a long time without loss', () => {
  const delay = new PlayoutDelay();
  delay.onRoundTrip(200, 0);
  expect(run(delay, { from: 0, to: 10 }, 0.05)).toBe(560);
  expect(run(delay, { from: 10, to: 25 }, 0)).toBe(560);
  const falling = run(delay, { from: 25, to: 45 }, 0);
  expect(falling).toBeGreaterThan(100);
  expect(falling).toBeLessThan(540);
  expect(run(delay, { from: 45, to: 90 }, 0)).toBe(0);
});
