import { describe, expect, it } from 'vitest';
import { FakeClock } from '../clock.fixture.ts';
import { GuessLimiter, guessLimits } from './guess-limiter.ts';

const stranger = { isKnown: false };
const known = { isKnown: true };

function limiterAt() {
  const clock = new FakeClock();
  const limits = {
    network: { burst: 3, refillMs: 1000 },
    site: { burst: 4, refillMs: 500 },
    region: { burst: 5, refillMs: 500 },
    overall: { burst: 8, refillMs: 100 },
  };
  return { limiter: new GuessLimiter(clock, limits), pass: (ms: number) => clock.pass(ms) };
}

describe('GuessLimiter', () => {
  it('stops an address after its burst and reports how long to wait', () => {
    const { limiter, pass } = limiterAt();
    for (let n = 0; n < 3; n++) expect(limiter.take('1.1.1.1', stranger)).toBeUndefined();
    expect(limiter.take('1.1.1.1', stranger)).toBe(1000);
    pass(400);
    expect(limiter.take('1.1.1.1', stranger)).toBe(600);
    pass(600);
    expect(limiter.take('1.1.1.1', stranger)).toBeUndefined();
    expect(limiter.take('1.1.1.1', stranger)).toBe(1000);
  });

  it('counts guesses sent at once, before any of them is answered', () => {
    const { limiter } = limiterAt();
    const answers = Array.from({ length: 10 }, () => limiter.take('1.1.1.1', stranger));
    expect(answers.filter((wait) => wait === undefined)).toHaveLength(3);
  });

  it('counts the networks of one site and the sites of one region together, so that other regions can sign in', () => {
    const { limiter } = limiterAt();
    const tried = (addresses: string[]) =>
      addresses.filter((address) => limiter.take(address, stranger) === undefined).length;
    expect(tried(Array.from({ length: 50 }, (_, n) => `2.2.2.${n}`))).toBe(4);
    expect(tried(Array.from({ length: 50 }, (_, n) => `2.2.${n}.1`))).toBe(1);
    expect(limiter.take('3.3.3.3', stranger)).toBeUndefined();
  });

  it('S02: gives unknown networks one allowance together, and does not charge it to known networks', () => {
    const { limiter, pass } = limiterAt();
    const flood = () =>
      Array.from({ length: 5000 }, (_, n) => limiter.take(`${1 + (n % 200)}.${n % 250}.1.1`, stranger)).filter(
        (wait) => wait === undefined,
      ).length;
    expect(flood()).toBe(8);
    expect(limiter.take('223.3.3.3', stranger)).toBe(100);
    for (let n = 0; n < 3; n++) expect(limiter.take('223.3.3.3', known)).toBeUndefined();
    expect(limiter.take('223.3.3.3', known)).toBe(1000);
    pass(500);
    expect(flood()).toBe(5);
  });

  it('keeps an allowance for others after all guesses that two regions may make at once and later', () => {
    const { region, overall } = guessLimits;
    expect(2 * region.burst).toBeLessThan(overall.burst);
    expect(2 / region.refillMs).toBeLessThan(1 / overall.refillMs);
  });

  it('clears the guesses of an address that signed in', () => {
    const { limiter } = limiterAt();
    for (let n = 0; n < 3; n++) limiter.take('1.1.1.1', stranger);
    limiter.forgive('1.1.1.1', stranger);
    expect(limiter.take('1.1.1.1', stranger)).toBeUndefined();
  });

  it('counts an IPv6 network as one address', () => {
    const { limiter } = limiterAt();
    for (const host of ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::3']) limiter.take(host, stranger);
    expect(limiter.take('2001:db8::4', stranger)).toBe(1000);
    expect(limiter.take('2001:db8:0:1::4', stranger)).toBeUndefined();
  });

  it('keeps its memory bounded', () => {
    const { limiter } = limiterAt();
    for (let n = 0; n < 3; n++) limiter.take('1.1.1.1', known);
    expect(limiter.take('1.1.1.1', known)).toBe(1000);
    for (let n = 0; n < 20_000; n++) limiter.take(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`, known);
    // Long forgotten: the address starts anew.
    expect(limiter.take('1.1.1.1', known)).toBeUndefined();
  });

  it('raises an alert during guessing, and clears it afterwards', () => {
    const { limiter, pass } = limiterAt();
    for (let n = 0; n < 19; n++) limiter.recordWrong();
    expect(limiter.alert()).toBeUndefined();
    limiter.recordWrong();
    pass(5000);
    expect(limiter.alert()).toEqual({ startedMsAgo: 5000, count: 20 });
    pass(10 * 60_000);
    expect(limiter.alert()).toBeUndefined();
  });
});
