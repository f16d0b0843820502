import { describe, expect, it } from 'vitest';
import { GuessLimiter } from './guess-limiter.ts';

function limiterAt(start = 0) {
  let now = start;
  const limits = { perAddress: { burst: 3, refillMs: 1000 }, overall: { burst: 5, refillMs: 100 } };
  return { limiter: new GuessLimiter(limits, () => now), pass: (ms: number) => (now += ms) };
}

describe('GuessLimiter', () => {
  it('stops an address after its burst and tells how long to wait', () => {
    const { limiter, pass } = limiterAt();
    for (let n = 0; n < 3; n++) expect(limiter.take('1.1.1.1')).toBeUndefined();
    expect(limiter.take('1.1.1.1')).toBe(1000);
    pass(400);
    expect(limiter.take('1.1.1.1')).toBe(600);
    pass(600);
    expect(limiter.take('1.1.1.1')).toBeUndefined();
    expect(limiter.take('1.1.1.1')).toBe(1000);
  });

  it('counts guesses sent at once, before any of them is answered', () => {
    const { limiter } = limiterAt();
    const answers = Array.from({ length: 10 }, () => limiter.take('1.1.1.1'));
    expect(answers.filter((wait) => wait === undefined)).toHaveLength(3);
  });

  it('still hears an address that never guessed wrong when everybody together has guessed too often', () => {
    const { limiter } = limiterAt();
    for (let n = 0; n < 5; n++) limiter.take(`2.2.2.${n}`);
    expect(limiter.take('2.2.2.0')).toBe(100);
    expect(limiter.take('3.3.3.3')).toBeUndefined();
  });

  it('forgets the guesses of an address that knew the password', () => {
    const { limiter } = limiterAt();
    for (let n = 0; n < 3; n++) limiter.take('1.1.1.1');
    limiter.forgive('1.1.1.1');
    expect(limiter.take('1.1.1.1')).toBeUndefined();
  });

  it('counts an IPv6 network as one address', () => {
    const { limiter } = limiterAt();
    for (const host of ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::3']) limiter.take(host);
    expect(limiter.take('2001:db8::4')).toBe(1000);
    expect(limiter.take('2001:db8:0:1::4')).toBeUndefined();
  });

  it('keeps its memory bounded', () => {
    const { limiter } = limiterAt();
    limiter.take('1.1.1.1');
    for (let n = 0; n < 20_000; n++) limiter.take(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
    // Long forgotten: the address starts anew.
    for (let n = 0; n < 2; n++) limiter.take('1.1.1.1');
    expect(limiter.take('1.1.1.1')).toBe(100);
  });

  it('raises an alert while somebody guesses, and drops it when they stop', () => {
    const { limiter, pass } = limiterAt(1_000_000_000);
    for (let n = 0; n < 19; n++) limiter.recordWrong();
    expect(limiter.alert()).toBeUndefined();
    limiter.recordWrong();
    pass(5000);
    expect(limiter.alert()).toEqual({ startedMsAgo: 5000, count: 20 });
    pass(10 * 60_000);
    expect(limiter.alert()).toBeUndefined();
  });
});
