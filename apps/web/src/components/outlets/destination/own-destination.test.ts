import { expect, it } from 'vitest';
import { isStreamName, ownStreamName, toOwnDestination } from './own-destination.ts';

const own = {
  server: 'rtmp://localhost/live/',
  aliases: ['rtmp://localhost/live', 'rtmp://live.example.com/live'],
  publishSecret: 's3cret',
};

it('makes an address and a key of a stream name, and finds it in them again', () => {
  const destination = toOwnDestination(' lobby ', own);
  expect(destination).toEqual({ server: 'rtmp://localhost/live/', secret: 'lobby?secret=s3cret' });
  expect(ownStreamName(destination, own)).toBe('lobby');
  expect(toOwnDestination('lobby', { ...own, publishSecret: '' }).secret).toBe('lobby');
});

it.each([
  [{ server: 'RTMP://live.example.com/live', secret: '/lobby?secret=old' }, 'lobby'],
  [{ server: 'rtmp://live.example.com/live/', secret: '' }, ''],
  [{ server: 'rtmp://a.rtmp.youtube.com/live2', secret: 'k' }, undefined],
  [{ server: 'rtmp://live.example.com/other/', secret: 'lobby' }, undefined],
  [{ server: '', secret: '' }, undefined],
])('of %j it is %s', (destination, name) => {
  expect(ownStreamName(destination, own)).toBe(name);
});

it.each([
  ['lobby-2', true],
  ['大厅', true],
  ['', false],
  ['a/b', false],
  ['a b', false],
  ['a?secret=x', false],
])('%s may be typed: %s', (name, may) => {
  expect(isStreamName(name)).toBe(may);
});
