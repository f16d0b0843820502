import { expect, it } from 'vitest';
import { rtmpNames } from './rtmp-address.ts';

it.each([
  ['/live/stream', 'live', 'stream'],
  ['/live/stream?secret=a/b', 'live/stream?secret=a', 'b'],
  ['/live/stream?a=b&c=d', 'live', 'stream?a=b&c=d'],
  ['/app/instance/stream', 'app/instance', 'stream'],
  ['/app/instance/a/b', 'app/instance', 'a/b'],
  ['/app/mp4:a/b', 'app', 'mp4:a/b'],
  ['/live-bvc/?streamname=x&key=y', 'live-bvc', '?streamname=x&key=y'],
  ['/stream', '', 'stream'],
  ['/live/film.flv', 'live', 'film'],
  ['/live/film.mp4', 'live', 'mp4:film.mp4'],
  ['', '', ''],
])('splits %s as ffmpeg does', (path, app, playPath) => {
  expect(rtmpNames(path)).toEqual({ app, playPath });
});

it('passes old forms of addresses to ffmpeg unchanged', () => {
  expect(rtmpNames('/app?slist=stream')).toBeUndefined();
  expect(rtmpNames('/ondemand/x')).toBeUndefined();
});
