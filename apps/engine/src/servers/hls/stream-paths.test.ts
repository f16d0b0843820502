import { basename, dirname, join, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contextOf, llKeyOf, readDirectives, readHlsRequest, withContext } from './hls-request.ts';
import { StreamPaths, segmentRest } from './stream-paths.ts';

const root = join(sep, 'data', 'hls');

describe('StreamPaths', () => {
  it('keeps plain names as they are', () => {
    const paths = new StreamPaths(root, 'live/studio/show');
    expect(paths.file(segmentRest(3, 5))).toBe(join(root, 'live', 'studio', 'show-3-5.ts'));
    expect(paths.url(segmentRest(3, 5))).toBe('/live/studio/show-3-5.ts');
  });

  it.each([
    'live/../../etc/passwd',
    '../x',
    '/etc/x',
    'live/..',
    'live/.hidden',
    'live/C:\\x',
    'live/..\\..\\x',
    'live/-rf',
    'live/%2e%2e%2fx',
    'CON/nul.txt',
    'live/a\0b',
    'live/\ud800',
    `live/${'长'.repeat(500)}`,
    `${'a'.repeat(300)}/x`,
    'live/*?"<>|',
    'live/',
  ])('stays below its root for %j', (key) => {
    const file = new StreamPaths(root, key).file(segmentRest(1, 2));
    expect(file.startsWith(root + sep)).toBe(true);
    expect(file).not.toMatch(/\.\.|[\0*?"<>|:\\]/);
    for (let path = file; path !== root; path = dirname(path)) {
      expect(basename(path).length).toBeLessThan(250);
      expect(basename(path)).not.toMatch(/^[-.]/);
    }
  });

  it('never gives two streams the same files', () => {
    const long = 'x'.repeat(400);
    const keys = ['a/b', 'a//b', 'a/b.', 'a/B', 'a%2Fb/c', 'a/b/c', `a/${long}1`, `a/${long}2`, '/a/b'];
    expect(new Set(keys.map((key) => new StreamPaths(root, key).file('.ts'))).size).toBe(keys.length);
  });
});

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
  ])('reads %s', (path, request) => {
    expect(readHlsRequest(path)).toEqual(request);
  });

  it('knows low-latency playlists by their name', () => {
    expect(llKeyOf('live/show.ll')).toBe('live/show');
    expect(llKeyOf('live/show')).toBeUndefined();
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

  it('puts the session into a query and finds it there', () => {
    const query = withContext('secret=a%26b&hls_ctx=old&_HLS_msn=3', '0123456789abcdef');
    expect(query).toBe('secret=a%26b&hls_ctx=0123456789abcdef');
    expect(contextOf(query)).toBe('0123456789abcdef');
    expect(contextOf('xhls_ctx=1')).toBeUndefined();
  });
});
