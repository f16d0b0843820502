import { basename, dirname, join, sep } from 'node:path';
import { segmentFormats } from '@weir/streams';
import { describe, expect, it } from 'vitest';
import { StreamPaths, segmentRest } from './stream-paths.ts';

const root = join(sep, 'data', 'hls');

describe('StreamPaths', () => {
  it('keeps plain names unchanged', () => {
    const paths = new StreamPaths(root, 'live/studio/show');
    expect(paths.file(segmentRest(3, 5, segmentFormats.mpegts))).toBe(join(root, 'live', 'studio', 'show-3-5.ts'));
    expect(paths.url(segmentRest(3, 5, segmentFormats.mpegts))).toBe('/live/studio/show-3-5.ts');
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
    const file = new StreamPaths(root, key).file(segmentRest(1, 2, segmentFormats.mpegts));
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
