import { describe, expect, it } from 'vitest';
import { parseApp, parseStreamName } from './stream-name.ts';

const connection = { app: 'live', tcUrl: 'rtmp://h/live', param: '?a=1', vhost: 'one' };

describe('parseApp', () => {
  it.each([
    ['live', 'rtmp://h/live', { app: 'live', param: '', vhost: '__defaultVhost__' }],
    ['live/', 'rtmp://h/live/', { app: 'live', param: '', vhost: '__defaultVhost__' }],
    ['live/room', '', { app: 'live/room', param: '', vhost: '__defaultVhost__' }],
    ['live?vhost=a.b&k=1', '', { app: 'live', param: '?vhost=a.b&k=1', vhost: 'a.b' }],
    ['live', 'rtmp://h/live?vhost=c', { app: 'live', param: '?vhost=c', vhost: 'c' }],
    ['', 'rtmp://h/live', { app: 'live', param: '', vhost: '__defaultVhost__' }],
    ['', 'rtmp://h:1935/live/room/', { app: 'live/room', param: '', vhost: '__defaultVhost__' }],
    ['', 'RTMPS://[::1]/live?vhost=c&k=1', { app: 'live', param: '?vhost=c&k=1', vhost: 'c' }],
    ['', 'rtmp://user:pass@h/live?a=/b', { app: 'live', param: '?a=/b', vhost: '__defaultVhost__' }],
    ['live?k=1', 'rtmp://h/live?vhost=c', { app: 'live', param: '?k=1', vhost: 'c' }],
  ])('reads %s of %s', (app, tcUrl, expected) => {
    expect(parseApp(app, tcUrl)).toEqual({ tcUrl, ...expected });
  });

  it.each(['', '/', '?a=1', '../x', 'a//b', 'a/./b', `a\u0000`, 'x'.repeat(513)])('refuses %j', (app) => {
    expect(parseApp(app, '')).toBeUndefined();
  });

  it.each(['rtmp://h', 'rtmp://h/', 'rtmp://h?a=/b', 'live', '/live', 'rtmp://h/../x', 'rtmp://h/a//b'])(
    'finds no app in %j',
    (tcUrl) => {
      expect(parseApp('', tcUrl)).toBeUndefined();
    },
  );
});

describe('parseStreamName', () => {
  it.each([
    ['s', { name: 's', param: '?a=1', vhost: 'one' }],
    ['/s', { name: 's', param: '?a=1', vhost: 'one' }],
    ['room/s?key=2', { name: 'room/s', param: '?key=2', vhost: 'one' }],
    ['s?vhost=two', { name: 's', param: '?vhost=two', vhost: 'two' }],
    ['s?vhost=', { name: 's', param: '?vhost=', vhost: 'one' }],
  ])('reads %s', (value, expected) => {
    expect(parseStreamName(value, connection)).toEqual(expected);
  });

  it.each(['', '..', 'a/../b', 'a\nb', 'x'.repeat(513), 'half\ud800', `s?${'x'.repeat(5000)}`])(
    'refuses %j',
    (value) => {
      expect(parseStreamName(value, connection)).toBeUndefined();
    },
  );
});
