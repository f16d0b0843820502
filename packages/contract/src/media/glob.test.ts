import { Glob, globCharacters, matchingGlob } from '@weir/streams';
import { describe, expect, it } from 'vitest';
import { recordApi } from './record.ts';

function matches(pattern: string, text: string): boolean {
  const glob = Glob.parse(pattern);
  if (typeof glob === 'string') throw new Error(glob);
  return glob.matches(text);
}

describe('Glob', () => {
  it.each([
    ['/live/livestream', '/live/livestream'],
    ['/live/*', '/live/a'],
    ['/*/*', '/live/a'],
    ['/live/*', '/live/.hidden'],
    ['/live/*', '/live/'],
    ['/live/a*b*c', '/live/a1b2bc'],
    ['/live/?', '/live/流'],
    ['/live/[a-c]1', '/live/b1'],
    ['/live/[^a]*', '/live/b1'],
    ['/live/[!a]*', '/live/!1'],
    ['/live/\\*', '/live/*'],
    ['/live/[\\]x]', '/live/]'],
    ['/**', '/live/a'],
    ['/live/**', '/live/a/b'],
    ['/**/b', '/b'],
    ['/**/b', '/x/y/b'],
    ['/{live,show}/*', '/show/a'],
    ['/live/{a,b{1,2},}x', '/live/b2x'],
    ['/live/{a,b{1,2},}x', '/live/x'],
    ['/live/{*,?}/b', '/live/aaa/b'],
    ['/live/a,b}', '/live/a,b}'],
  ])('%s matches %s', (pattern, text) => expect(matches(pattern, text)).toBe(true));

  it.each([
    ['*', '/live/a'],
    ['/live/*', '/live/a/b'],
    ['live/*', '/live/a'],
    ['/live/?', '/live/'],
    ['/live/[!a]*', '/live/b1'],
    ['/live/[^a]*', '/live/a1'],
    ['/live/\\*', '/live/a'],
    ['/live/?', '/live//'],
    ['/{live,show}/*', '/{live,show}/a'],
    ['/live/{a,b}', '/live/ab'],
    ['/**/b', '/xb'],
    ['', '/live/a'],
  ])('%s does not match %s', (pattern, text) => expect(matches(pattern, text)).toBe(false));

  it.each([
    ['/live/[a', 'unclosed-class'],
    ['/live/[]', 'empty-class'],
    ['/live/[c-a]', 'bad-range'],
    ['/live/{a,b', 'unclosed-brace'],
    ['/live/a\\', 'dangling-escape'],
  ])('reports the problem of %s', (pattern, problem) => expect(Glob.parse(pattern)).toBe(problem));

  it('returns the last matching pattern', () => {
    expect(matchingGlob(['/live/*', '/*/*', '/show/*', '/live/[broken'], '/live/a')).toBe('/*/*');
    expect(matchingGlob(['/show/*'], '/live/a')).toBeUndefined();
  });

  const text = `/live/${'a'.repeat(1000)}`;
  it.each([
    ['stars', '*a'.repeat(globCharacters / 2)],
    ['double stars', '**a'.repeat(globCharacters / 3)],
    ['choices that are all alike', `{${'*,'.repeat(globCharacters / 2 - 2)}b}`],
    [
      'choices within choices',
      `${'{'.repeat(20_000)}a${',*a}'.repeat(10_000)}${'}'.repeat(10_000)}b`.slice(0, globCharacters),
    ],
    ['choices in a row', '{a,aa}'.repeat(globCharacters / 6)],
    ['classes', '[^b]*'.repeat(globCharacters / 5)],
    ['literals', 'a'.repeat(globCharacters)],
  ])('matches the longest pattern of %s in linear time', (_title, pattern) => {
    const startedAt = performance.now();
    const glob = Glob.parse(pattern);
    if (typeof glob !== 'string') for (const end of ['', 'b']) glob.matches(text + end);
    // Backtracking would never finish; the limit leaves room for a busy machine.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});

describe('recording globs', () => {
  const { body } = recordApi.globs;

  it('trims patterns and drops empty lines', () => {
    expect(body.parse({ globs: [' /live/* \r', '', '  '] })).toEqual({ globs: ['/live/*'] });
    expect(body.parse({})).toEqual({ globs: [] });
  });

  it('rejects invalid patterns and more than 65536 characters', () => {
    expect(body.safeParse({ globs: ['/live/[a'] }).success).toBe(false);
    expect(body.safeParse({ globs: ['a'.repeat(globCharacters)] }).success).toBe(true);
    expect(body.safeParse({ globs: ['a'.repeat(globCharacters), 'b'] }).success).toBe(false);
    expect(body.safeParse({ globs: ['a'.repeat(globCharacters + 1)] }).success).toBe(false);
  });
});
