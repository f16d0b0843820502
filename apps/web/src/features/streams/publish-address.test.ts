import { expect, it } from 'vitest';
import { rtmpServer, rtmpStreamKey } from './publish-address.ts';

it.each([
  ['live.example.com', '1935', 'rtmp://live.example.com/live/'],
  ['live.example.com', '', 'rtmp://live.example.com/live/'],
  ['192.0.2.1', '19350', 'rtmp://192.0.2.1:19350/live/'],
  ['[2001:db8::1]', '1935', 'rtmp://[2001:db8::1]/live/'],
])('publishes at %s port %j to %s', (hostname, port, address) => {
  expect(rtmpServer(hostname, port)).toBe(address);
});

it('puts the secret behind the name', () => {
  expect(rtmpStreamKey('show', 'abc')).toBe('show?secret=abc');
  expect(rtmpStreamKey('show', '')).toBe('show');
});
