import { expect, it } from 'vitest';
import { WatchClock } from './watch-clock.ts';

it('F24: does not count the time in which this process was suspended', () => {
  let wallMs = 5000;
  const clock = new WatchClock(2000, () => wallMs);
  for (let poll = 0; poll < 5; poll++) {
    wallMs += 1000;
    clock.now();
  }
  expect(clock.now()).toBe(5000);
  wallMs += 15_000;
  expect(clock.now()).toBe(7000);
  wallMs += 1000;
  expect(clock.now()).toBe(8000);
});
