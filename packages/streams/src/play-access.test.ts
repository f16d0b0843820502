import { expect, it } from 'vitest';
import { type PlayRule, PlayRules, playbackIdOf, playTokenOf } from './play-access.ts';
import { defaultVhost } from './stream-place.ts';

const rule = (id: string, pattern: string, change: Partial<PlayRule> = {}): PlayRule => ({
  id,
  pattern,
  mode: 'link',
  sites: [],
  networks: [],
  maxViewers: 0,
  maxPerLink: 0,
  passwordId: '',
  tokenKeys: [],
  ...change,
});

it('prefers the rule that names a stream, then the first pattern that matches', () => {
  const rules = new PlayRules([
    rule('all', '/live/*'),
    rule('later', '/live/s*'),
    rule('one', '/live/stage'),
    rule('free', '/live/free', { mode: 'open' }),
    rule('counted', '/x/y', { mode: 'open', maxViewers: 5 }),
  ]);
  const of = (app: string, name: string) => rules.of({ app, name })?.id;
  expect([of('live', 'stage'), of('live', 'show'), of('live/a', 'b'), of('other', 'stage')]).toEqual([
    'one',
    'all',
    undefined,
    undefined,
  ]);
  expect([of('live', 'free'), of('x', 'y')]).toEqual([undefined, 'counted']);
  expect([rules.isEmpty, new PlayRules([]).isEmpty]).toEqual([false, true]);
});

it.each([
  ['?token=a.b.c', 'a.b.c'],
  ['vhost=x&token=a-_.b.c&x=1', 'a-_.b.c'],
  ['token=', ''],
  ['?mytoken=a.b.c', ''],
  ['?token=a.b.c%20', ''],
  ['?token=first&token=second', 'first'],
  ['', ''],
])('reads the token of %s', (param, token) => {
  expect(playTokenOf(param)).toBe(token);
});

it('knows places that stand for playback ids', () => {
  const place = { vhost: defaultVhost, app: 'play', name: 'abcdefgh12345678' };
  expect(playbackIdOf(place)).toBe('abcdefgh12345678');
  expect(playbackIdOf({ ...place, app: 'live' })).toBeUndefined();
  expect(playbackIdOf({ ...place, vhost: 'x' })).toBeUndefined();
  expect(playbackIdOf({ ...place, name: 'short' })).toBeUndefined();
});
