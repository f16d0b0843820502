import { expect, test } from 'vitest';
import { defaultVhost, streamKey } from './stream-place.ts';

test('a stream of the default vhost has a key of app and name', () => {
  expect(streamKey({ vhost: defaultVhost, app: 'live/hall', name: 'one' })).toBe('live/hall/one');
});

test('a vhost cannot collide with an app in a stream key', () => {
  const keys = [
    streamKey({ vhost: defaultVhost, app: 'live/x', name: 'one' }),
    streamKey({ vhost: 'live', app: 'x', name: 'one' }),
    streamKey({ vhost: defaultVhost, app: 'live', name: 'x' }),
    streamKey({ vhost: 'live', app: 'live', name: 'x' }),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});
