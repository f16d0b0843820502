import { expect, test } from 'vitest';
import { defaultVhost, streamKey } from './stream-place.ts';

test('a stream of the default vhost is known by app and name', () => {
  expect(streamKey({ vhost: defaultVhost, app: 'live/hall', name: 'one' })).toBe('live/hall/one');
});

test('no vhost can take the place of an app', () => {
  const keys = [
    streamKey({ vhost: defaultVhost, app: 'live/x', name: 'one' }),
    streamKey({ vhost: 'live', app: 'x', name: 'one' }),
    streamKey({ vhost: defaultVhost, app: 'live', name: 'x' }),
    streamKey({ vhost: 'live', app: 'live', name: 'x' }),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});
