import { expect, it } from 'vitest';
import { FakeClock } from '../../../core/clock.fixture.ts';
import { Progress } from './progress.ts';

it('estimates the remaining time from the elapsed time of this run', () => {
  const clock = new FakeClock();
  const progress = new Progress(clock);
  progress.at('extract', 0);
  expect([progress.percent, progress.secondsLeft]).toEqual([0, null]);
  clock.pass(10_000);
  progress.at('asr', 0.5);
  // A fifth in ten seconds.
  expect([progress.percent, progress.secondsLeft]).toEqual([20, 40]);
  // Work done before a pause does not count for the estimate.
  progress.begin();
  clock.pass(3_600_000);
  progress.at('translating', 0.5);
  expect(progress.secondsLeft).toBeNull();
  clock.pass(20_000);
  progress.at('tts', 0);
  expect([progress.percent, progress.secondsLeft]).toEqual([55, 90]);
  progress.at('done', 1);
  expect([progress.percent, progress.secondsLeft]).toEqual([100, null]);
});
