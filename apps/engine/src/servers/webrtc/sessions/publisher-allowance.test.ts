import { expect, it } from 'vitest';
import { PublisherAllowance } from './publisher-allowance.ts';

const most = 10_000_000;

it('limits a publisher below the arriving rate after packet loss, and removes the limit in time', () => {
  const allowance = new PublisherAllowance();
  let bytes = 0;
  let second = 0;
  const after = (receivedBps: number, lostShare: number) => {
    bytes += receivedBps / 8;
    second += 1;
    return allowance.next(bytes, lostShare, second * 1000);
  };
  expect(after(600_000, 0)).toBe(most);
  expect(after(600_000, 0.01)).toBe(most);
  expect(after(300_000, 0.4)).toBe(255_000);
  // A few losses are repaired, and tell of no room either.
  expect(after(250_000, 0.05)).toBe(255_000);
  // More arrives than is allowed: what was in the queue.
  expect(after(500_000, 0.2)).toBe(255_000);
  for (let seconds = 0; seconds < 5; seconds++) after(300_000, 0);
  expect(after(300_000, 0)).toBeGreaterThan(900_000);
  for (let seconds = 0; seconds < 20; seconds++) after(300_000, 0);
  expect(after(300_000, 0)).toBe(most);
});

it('leaves a publisher a minimum bitrate, and ignores its first report', () => {
  const allowance = new PublisherAllowance();
  expect(allowance.next(500, 0.5, 1000)).toBe(8_500_000);
  expect(allowance.next(600, 0.9, 2000)).toBe(150_000);
});
