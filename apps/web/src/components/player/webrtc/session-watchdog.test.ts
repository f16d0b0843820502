import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SessionWatchdog } from './session-watchdog.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const seen = { packets: 1, asked: 0, isGone: false, lost: 0 };
  const watch = new SessionWatchdog({
    readActivity: async () => seen.packets,
    silentMs: 600,
    isGone: async () => {
      seen.asked += 1;
      return seen.isGone;
    },
    onGone: () => {
      seen.lost += 1;
    },
  });
  return { seen, watch };
}

it('checks a silent session within a second and reports its loss once', async () => {
  const { seen } = open();
  for (; seen.packets < 20; seen.packets += 1) await vi.advanceTimersByTimeAsync(300);
  expect(seen.asked).toBe(0);
  seen.isGone = true;
  await vi.advanceTimersByTimeAsync(1000);
  expect(seen).toMatchObject({ asked: 1, lost: 1 });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(seen).toMatchObject({ asked: 1, lost: 1 });
});

it('checks a session that stays silent less and less often', async () => {
  const { seen, watch } = open();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(seen.asked).toBeGreaterThan(5);
  expect(seen.asked).toBeLessThan(14);
  expect(seen.lost).toBe(0);
  watch.close();
  const { asked } = seen;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(seen.asked).toBe(asked);
});
