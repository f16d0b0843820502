import { expect, it } from 'vitest';
import { findGlobProblem, globLines, testGlobs } from './glob-lines.ts';

it('reads one pattern per line, without blanks and empty lines', () => {
  expect(globLines(' /live/* \r\n\n\t/*/*\n')).toEqual(['/live/*', '/*/*']);
});

it('finds the first invalid pattern', () => {
  expect(findGlobProblem(['/live/*', '/live/[a', '/{a'])).toEqual({ line: 2, problem: 'unclosed-class' });
  expect(findGlobProblem(['/live/*'])).toBeUndefined();
});

it.each([
  ['rtmp://host/live/livestream', ['/live/*'], { kind: 'matched', glob: '/live/*' }],
  ['rtmp://host:1935/live/livestream?secret=x', ['/live/livestream', '/*/*'], { kind: 'matched', glob: '/*/*' }],
  ['srt://host:10080/live/show', ['/live/livestream'], { kind: 'unmatched' }],
  ['/live/show', ['/live/*'], { kind: 'matched', glob: '/live/*' }],
  ['http://host/live/%E4%B8%AD', ['/live/中'], { kind: 'matched', glob: '/live/中' }],
  ['http://host/%E0%A4%A', ['/live/*'], { kind: 'unmatched' }],
  ['  ', ['/live/*'], { kind: 'url-empty' }],
  ['rtmp://host/live/a', [], { kind: 'globs-empty' }],
])('tests %s against %j', (url, globs, expected) => {
  expect(testGlobs(url, globs)).toEqual(expected);
});
