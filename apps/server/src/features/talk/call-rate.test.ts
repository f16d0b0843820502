import { expect, it } from 'vitest';
import { FakeClock } from '../../core/clock.fixture.ts';
import { CallRate } from './call-rate.ts';

/** Number of accepted calls. */
function taken(rate: CallRate, calls: number, [room, address]: readonly [string, string]): number {
  let count = 0;
  for (let n = 0; n < calls; n++)
    try {
      rate.take(room, address);
      count += 1;
    } catch {
      // Too often.
    }
  return count;
}

it('counts a household with a whole IPv6 network as one, and others separately', () => {
  const rate = new CallRate(new FakeClock('2026-03-01'), { room: 1000, network: 5 });
  expect(taken(rate, 3, ['a', '2001:db8:1:2::1'])).toBe(3);
  expect(taken(rate, 9, ['a', '2001:db8:1:2:ffff::7'])).toBe(2);
  expect(taken(rate, 9, ['b', '2001:db8:1:3::1'])).toBe(5);
  expect(taken(rate, 9, ['b', '::ffff:203.0.113.9'])).toBe(5);
  expect(taken(rate, 9, ['b', '203.0.113.9'])).toBe(0);
});

it('keeps every count however many networks there are, and clears all of them with the minute', () => {
  const clock = new FakeClock('2026-03-01');
  const rate = new CallRate(clock, { room: 1_000_000, network: 5 });
  expect(taken(rate, 9, ['a', '203.0.113.9'])).toBe(5);
  for (let n = 0; n < 12_000; n++) taken(rate, 1, ['a', `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`]);
  expect(taken(rate, 9, ['a', '203.0.113.9'])).toBe(0);
  // Late networks share one count.
  expect(taken(rate, 1, ['a', '198.51.100.1'])).toBe(0);
  clock.pass(60_001);
  expect(taken(rate, 9, ['a', '203.0.113.9'])).toBe(5);
  expect(taken(rate, 1, ['a', '198.51.100.1'])).toBe(1);
});

it('limits the calls of a room over all guests', () => {
  const rate = new CallRate(new FakeClock('2026-03-01'), { room: 3, network: 2 });
  expect(taken(rate, 5, ['a', '203.0.113.1'])).toBe(2);
  expect(taken(rate, 5, ['a', '203.0.113.2'])).toBe(1);
  expect(taken(rate, 5, ['b', '203.0.113.2'])).toBe(1);
});
