import { describe, expect, it } from 'vitest';
import { isOlder, isVersion } from './release-version.ts';

describe('the order of versions', () => {
  const rising = ['0.9.9', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0', '1.0.1', '1.10.0'];

  it.each(rising.slice(1).map((version, index) => [rising[index] ?? '', version]))('has %s before %s', (one, other) => {
    expect([isOlder(one, other), isOlder(other, one)]).toEqual([true, false]);
  });

  it('does not count a v in front, nor what follows a plus', () => {
    expect(isOlder('v1.0.0', '1.0.0+abc')).toBe(false);
    expect(isOlder('1.0.0+abc', 'v1.0.1')).toBe(true);
  });

  it.each(['', 'v1.0.0', '1.0', '../../1.0.0', '1.0.0/..', '1.0.0-', '1.0.0 ', '1.0.0\n'])(
    'does not take %j for one',
    (text) => expect(isVersion(text)).toBe(false),
  );
});
