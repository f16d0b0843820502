import { defaultVhost } from '@weir/streams';
import { expect, it } from 'vitest';
import { parseStreamQuery, streamPath } from './stream-link.tsx';

const place = (app: string, stream: string, vhost = defaultVhost) => ({ vhost, app, stream });
const read = (query: string) => parseStreamQuery(new URLSearchParams(query));

it('builds readable stream addresses', () => {
  expect(streamPath(place('live', 'show'))).toBe('/routers-scenario?tab=live&stream=live/show');
});

it.each([place('live', 'show'), place('live/east', '中文 &stream=x#?%2F'), place('live', 'show', 'studio.example')])(
  'leads back to the stream it was made of: %j',
  (stream) => {
    expect(read(streamPath(stream).split('?').slice(1).join('?'))).toEqual(stream);
  },
);

it.each([
  'tab=live',
  'stream=',
  'stream=show',
  'stream=/show',
  'stream=live/',
  `stream=live/${'x'.repeat(600)}`,
  'stream=live/a&vhost=',
])('rejects the query %s', (query) => {
  expect(read(query)).toBeUndefined();
});
