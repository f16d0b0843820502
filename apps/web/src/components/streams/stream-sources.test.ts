import { expect, it } from 'vitest';
import { streamSources } from './stream-sources.ts';

it('adds the preview token to every source', () => {
  const sources = streamSources('live/show', { query: 'weir-preview=t', hasWhep: true });
  expect(sources.map(({ kind }) => kind)).toEqual(['whep', 'flv', 'hls']);
  for (const { url } of sources) expect(new URL(url).searchParams.get('weir-preview')).toBe('t');
  expect(new URL(sources[0]?.url ?? '').searchParams.get('stream')).toBe('show');
});

it('lists sources without a preview token', () => {
  expect(streamSources('live/show').map(({ url }) => new URL(url).pathname + new URL(url).search)).toEqual([
    '/live/show.flv',
    '/live/show.m3u8',
  ]);
});
