import { expect, it } from 'vitest';
import { isStreamName, ownStreamName, suggestStreamName, toOwnDestination } from './own-destination.ts';

const own = {
  server: 'rtmp://localhost/live/',
  aliases: ['rtmp://localhost/live', 'rtmp://live.example.com/live'],
  publishSecret: 's3cret',
};

it('converts a stream name to server and key and back', () => {
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
])('finds in %j the stream name %s', (destination, name) => {
  expect(ownStreamName(destination, own)).toBe(name);
});

it.each([
  ['lobby-2', true],
  ['大厅', true],
  ['', false],
  ['a/b', false],
  ['a b', false],
  ['a?secret=x', false],
])('accepts %s as a stream name: %s', (name, may) => {
  expect(isStreamName(name)).toBe(may);
});

it.each([
  ['Front door', 'front-door'],
  ['Evening concert.mp4', 'evening-concert'],
  ['  /?#&=% ', ''],
  ['大厅 2', '大厅-2'],
])('makes of the title %j the stream name %j', (title, name) => {
  expect(suggestStreamName(title)).toBe(name);
  expect(name === '' || isStreamName(name)).toBe(true);
});
