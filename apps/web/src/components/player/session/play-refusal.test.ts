import { expect, it } from 'vitest';
import { mayOutlivePermission, parseRefusal, probeUrl, withToken } from './play-refusal.ts';

it.each([
  ['expired', { reason: 'expired' }],
  ['no-token; password=abcdefgh23456723', { reason: 'no-token', playback: 'abcdefgh23456723' }],
  ['revoked; password=../x', { reason: 'revoked' }],
  ['', undefined],
  ['nonsense', undefined],
])('reads the refusal %j', (header, refusal) => {
  expect(parseRefusal(header)).toEqual(refusal && { playback: undefined, ...refusal });
});

it.each([
  ['flv', 'http://weir.test/live/show.flv?token=a.b.c', 'http://weir.test/live/show.flv?token=a.b.c'],
  ['hls', 'http://weir.test/play/id.ll.m3u8?token=a', 'http://weir.test/play/id.flv?token=a'],
  ['hls', 'http://weir.test/play/id.m3u8', 'http://weir.test/play/id.flv'],
  ['hls', 'http://weir.test/play/id.dvr.m3u8?token=a', 'http://weir.test/play/id.flv?token=a'],
  ['hls', 'http://cdn.test/list?x=.m3u8', undefined],
  [
    'whep',
    'http://weir.test/rtc/v1/whep/?app=a/b&stream=my show&token=a',
    'http://weir.test/a/b/my%20show.flv?token=a',
  ],
  ['whep', 'http://weir.test/whep/endpoint/1', undefined],
  ['file', 'http://weir.test/film.mp4', undefined],
] as const)('asks for the reason of a refusal over %s at %s', (kind, url, probe) => {
  expect(probeUrl({ kind, url })).toBe(probe);
});

it('replaces the token of a source, and watches over HLS with a token alone', () => {
  const source = { kind: 'hls', url: 'http://weir.test/play/id.m3u8?token=old&x=1' } as const;
  expect(withToken(source, 'new').url).toBe('http://weir.test/play/id.m3u8?token=new&x=1');
  expect(mayOutlivePermission(source)).toBe(true);
  expect(mayOutlivePermission({ kind: 'hls', url: 'http://weir.test/live/show.m3u8' })).toBe(false);
  expect(mayOutlivePermission({ kind: 'flv', url: source.url })).toBe(false);
});
