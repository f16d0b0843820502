import { describe, expect, it } from 'vitest';
import {
  parseHlsContext,
  parseLowLatencyKey,
  parsePlaylistKey,
  readDirectives,
  readHlsRequest,
  withContext,
} from './hls-request.ts';

describe('readHlsRequest', () => {
  it.each([
    ['/live/show.m3u8', { type: 'playlist', key: 'live/show' }],
    ['/live/show.ll.m3u8', { type: 'playlist', key: 'live/show.ll' }],
    ['/a/b/c-1-2-3.ts', { type: 'segment', key: 'a/b/c-1', sequence: 2, timestampMs: 3 }],
    ['/live/show.ll-7-0.m4s', { type: 'part', key: 'live/show', sequence: 7, part: 0 }],
    ['/live/show.ll-7.m4s', undefined],
    ['/live/show.ts', undefined],
    ['/live/show-1-99999999999999999.ts', undefined],
    ['/live/show', undefined],
    [
      '/live/show.sub-es-419.12.vtt',
      { type: 'vtt', key: 'live/show', language: 'es-419', sequence: 12, part: undefined },
    ],
    ['/live/show.ll.sub-en.12.3.vtt', { type: 'vtt', key: 'live/show.ll', language: 'en', sequence: 12, part: 3 }],
    ['/live/show.sub-e_n.12.vtt', undefined],
    ['/live/show.sub-en.vtt', undefined],
    ['/.sub-en.1.vtt', undefined],
  ])('reads %s', (path, request) => {
    expect(readHlsRequest(path)).toEqual(request);
  });

  it('recognises low-latency playlists by their name', () => {
    expect(parseLowLatencyKey('live/show.ll')).toBe('live/show');
    expect(parseLowLatencyKey('live/show')).toBeUndefined();
  });

  it.each([
    ['live/show', { key: 'live/show' }],
    ['live/show.sub-zh-Hans', { key: 'live/show', language: 'zh-Hans' }],
    ['live/show.ll.sub-en', { key: 'live/show.ll', language: 'en' }],
    ['live/show.media', { key: 'live/show', isMedia: true }],
    ['live/show.sub-', { key: 'live/show.sub-' }],
  ])('finds the options of %s', (key, wish) => {
    expect(parsePlaylistKey(key)).toEqual(wish);
  });

  it.each([
    ['', { sequence: undefined, part: undefined, isDelta: false }],
    ['hls_ctx=1&_HLS_msn=4&_HLS_part=2', { sequence: 4, part: 2, isDelta: false }],
    ['_HLS_skip=YES', { sequence: undefined, part: undefined, isDelta: true }],
    ['_HLS_part=2', undefined],
    ['_HLS_msn=-1', undefined],
    ['_HLS_msn=1.5', undefined],
    ['_HLS_msn=1e3', undefined],
    ['_HLS_msn=', undefined],
    ['_HLS_msn=4&_HLS_part=x', undefined],
  ])('reads the directives in %j', (query, directives) => {
    expect(readDirectives(query)).toEqual(directives);
  });

  it('writes the session into a query and finds it there', () => {
    const query = withContext('secret=a%26b&hls_ctx=old&_HLS_msn=3', '0123456789abcdef');
    expect(query).toBe('secret=a%26b&hls_ctx=0123456789abcdef');
    expect(parseHlsContext(query)).toBe('0123456789abcdef');
    expect(parseHlsContext('xhls_ctx=1')).toBeUndefined();
  });
});
