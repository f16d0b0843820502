import { expect, it } from 'vitest';
import { FakeClock } from '../../core/clock.fixture.ts';
import { InterimPace } from './interim-pace.ts';

function begin() {
  const clock = new FakeClock();
  const pace = new InterimPace(clock);
  const work = (ms: number) => {
    const end = pace.begin();
    clock.pass(ms);
    end();
  };
  return { clock, pace, work };
}

it('allows no interim recognition while final recognition waits', () => {
  const { pace } = begin();
  const [first, second] = [pace.begin(), pace.begin()];
  first();
  expect(pace.isFree).toBe(false);
  second();
  expect(pace.isFree).toBe(true);
});

it('limits all streams together to a share of the time, however many there are', () => {
  const { clock, pace, work } = begin();
  let spentMs = 0;
  for (let nowMs = 0; nowMs < 60_000; nowMs += 50) {
    clock.pass(50);
    if (!pace.isFree) continue;
    work(400);
    spentMs += 400;
    nowMs += 400;
  }
  expect(spentMs / 60_000).toBeGreaterThan(0.3);
  expect(spentMs / 60_000).toBeLessThan(0.55);
});

it('leaves the time that finished utterances need to them', () => {
  const { clock, pace, work } = begin();
  for (let n = 0; n < 10; n++) {
    work(600);
    clock.pass(400);
  }
  expect(pace.isFree).toBe(false);
  clock.pass(6000);
  expect(pace.isFree).toBe(true);
});

it('pauses after a failure', () => {
  const { clock, pace } = begin();
  pace.fail();
  clock.pass(9000);
  expect(pace.isFree).toBe(false);
  clock.pass(1000);
  expect(pace.isFree).toBe(true);
});
