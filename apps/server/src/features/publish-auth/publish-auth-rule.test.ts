import { describe, expect, it } from 'vitest';
import { showsSecret } from './publish-auth-rule.ts';

const secret = '0123456789abcdef0123456789abcdef';
const encoded = `%30${secret.slice(1)}`;

describe('showsSecret', () => {
  it.each([
    ['RTMP', 'show', `?secret=${secret}`, true],
    ['SRT', 'show', `secret=${secret}`, true],
    ['WHIP', 'show', `app=live&stream=show&secret=${secret}&eip=1.2.3.4`, true],
    ['the JSON call of SRS', 'show', `?secret=${secret}&upstream=rtc`, true],
    ['an encoded value', 'show', `?secret=${encoded}`, true],
    ['the same secret twice', 'show', `?secret=${secret}&secret=${secret}`, true],
    ['the end of the name', `show${secret}`, '', true],
    ['the secret alone as the name', secret, '', true],
    ['the end of the name beside other parameters', `show${secret}`, '?vhost=a', true],
    ['nothing', 'show', '', false],
    ['an empty secret', 'show', '?secret=', false],
    ['a wrong secret', 'show', `?secret=${'f'.repeat(32)}`, false],
    ['one sign less', 'show', `?secret=${secret.slice(1)}`, false],
    ['one sign more', 'show', `?secret=${secret}0`, false],
    ['upper case', 'show', `?secret=${secret.toUpperCase()}`, false],
    ['the parameter in upper case', 'show', `?SECRET=${secret}`, false],
    ['a NUL byte after it', 'show', `?secret=${secret}\u0000`, false],
    ['an encoded NUL byte after it', 'show', `?secret=${secret}%00`, false],
    ['a trailing dot', 'show', `?secret=${secret}.`, false],
    ['another parameter', 'show', `?token=${secret}`, false],
    ['a value that only contains it', 'show', `?secret=x${secret}`, false],
    ['the secret as app and stream of a WHIP query', 'show', `app=${secret}&stream=${secret}`, false],
    ['a right and a wrong one', 'show', `?secret=${secret}&secret=x`, false],
    ['a wrong one with the right end of the name', `show${secret}`, '?secret=x', false],
    ['the beginning of a longer word', `${secret}show`, '', false],
    ['a part of its own at the beginning', `${secret}-show`, '', true],
    ['a part of its own in the middle', `show.${secret}_cam`, '', true],
    ['a part of a name of levels', `room/${secret}/cam`, '', true],
    ['the middle of a word', `show${secret}cam`, '', false],
    ['a part that goes on with letters', `show-${secret}cam-1`, '', false],
    ['a part in upper case', `show-${secret.toUpperCase()}-cam`, '', false],
    ['a trailing dot behind a part of its own', `show-${secret}.`, '', false],
    ['a leading dash', `-${secret}`, '', true],
    ['a NUL byte beside it', `show-${secret}\u0000cam`, '', false],
    ['a wrong parameter with the right part', `show-${secret}-cam`, '?secret=x', false],
    ['the end of the name in upper case', `show${secret.toUpperCase()}`, '', false],
    ['the end of the name with a NUL byte', `show${secret}\u0000`, '', false],
    ['the end of the name with a trailing dot', `show${secret}.`, '', false],
    ['a broken encoding', 'show', '?secret=%zz', false],
  ])('%s', (_what, stream, param, isAccepted) => {
    expect(showsSecret({ stream, param }, secret)).toBe(isAccepted);
  });

  it('matches a short secret in names only as a separate part, and a very short one not at all', () => {
    expect(showsSecret({ stream: 'show-tea4twos', param: '' }, 'tea4twos')).toBe(true);
    expect(showsSecret({ stream: 'tea4twos', param: '' }, 'tea4twos')).toBe(true);
    expect(showsSecret({ stream: 'showtea4twos', param: '' }, 'tea4twos')).toBe(false);
    expect(showsSecret({ stream: 'show-abc', param: '' }, 'abc')).toBe(false);
    expect(showsSecret({ stream: 'show', param: '?secret=abc' }, 'abc')).toBe(true);
  });

  it('accepts no publisher by an empty secret', () => {
    expect(showsSecret({ stream: 'show', param: '' }, '')).toBe(false);
    expect(showsSecret({ stream: 'show', param: '?secret=' }, '')).toBe(false);
  });
});
