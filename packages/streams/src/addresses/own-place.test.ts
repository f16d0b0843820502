import { expect, it } from 'vitest';
import { findOwnPlace, findOwnProtocol, parsePlaces } from './own-place.ts';

const own = {
  hosts: new Set(['10.0.0.7', 'studio']),
  rtmpPorts: new Set([1935, 19350]),
  srtPorts: new Set([10080]),
  httpPorts: new Set([2022, 80]),
  httpsPorts: new Set([2443]),
};
const show = '__defaultVhost__/live/show';

it.each([
  ['rtmp://localhost/live/show', show],
  ['rtmp://127.0.0.1:1935/live/show?secret=abc', show],
  ['rtmp://127.9.9.9:19350//live//show', show],
  ['rtmp://2130706433/live/show', show],
  ['rtmp://[::1]/live/show', show],
  ['rtmp://[::ffff:127.0.0.1]/live/show', show],
  ['rtmp://10.0.0.7/live/show', show],
  ['rtmp://Studio/live/show', show],
  ['rtmp://localhost/live/a%20b', '__defaultVhost__/live/a b'],
  ['rtmp://localhost/live/show?vhost=studio.test&secret=abc', 'studio.test/live/show'],
  ['srt://127.0.0.1:10080?streamid=#!::r=live/show?secret=abc,m=publish', show],
  ['srt://127.0.0.1:10080/?mode=caller&streamid=%23!::m=publish,r=live/show', show],
  ['srt://127.0.0.1:10080?streamid=show', show],
  // Elsewhere, though the path is the same.
  ['rtmp://other.test/live/show', undefined],
  ['rtmp://10.0.0.8/live/show', undefined],
  ['rtmp://127.0.0.1:1936/live/show', undefined],
  ['srt://127.0.0.1:10081?streamid=show', undefined],
  ['not an address', undefined],
])('%s is the stream %s of this server', (url, place) => {
  expect(findOwnPlace(url, own)).toBe(place);
});

it.each([
  ['rtmp://studio/live/show', 'rtmp', [show]],
  ['srt://10.0.0.7:10080?streamid=#!::r=live/show,m=request', 'srt', [show]],
  ['http://studio/live/show.flv?vhost=other.test', 'http', ['other.test/live/show']],
  ['https://localhost:2443/live/show.m3u8', 'http', [show]],
  ['http://[::1]:2022/live/show.ll.m3u8', 'http', [show, `${show}.ll`]],
  ['http://localhost:2022/live/show.ts', 'http', []],
  ['https://localhost/live/show.flv', undefined, [show]],
  ['http://other.test/live/show.flv', undefined, [show]],
])('%s is read on this server over %s', (url, protocol, places) => {
  expect([findOwnProtocol(url, own), parsePlaces(url)]).toEqual([protocol, places]);
});

it('a host name is ours when it resolves to one of our addresses and the port is ours too', () => {
  expect(findOwnProtocol('http://show.test/live/a.flv', own, ['198.51.100.7', '10.0.0.7'])).toBe('http');
  expect(findOwnProtocol('http://show.test/live/a.flv', own, ['198.51.100.7'])).toBeUndefined();
  expect(findOwnProtocol('http://show.test:8080/live/a.flv', own, ['10.0.0.7'])).toBeUndefined();
});
