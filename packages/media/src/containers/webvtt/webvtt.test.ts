import { expect, it } from 'vitest';
import { webVtt } from './webvtt.ts';

it('writes a valid file without cues', () => {
  expect(webVtt([])).toBe('WEBVTT\n');
  expect(webVtt([], 10_000)).toBe('WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:10.000,MPEGTS:900000\n');
});

it('writes cues in the order of their time, with their text escaped', () => {
  const cues = [
    { id: 'b', startMs: 3_599_999.6, endMs: 3_601_000, text: 'a --> <b>&amp;</b>\nsecond' },
    { id: 'a', startMs: 0, endMs: 61_042, text: 'first' },
  ];
  expect(webVtt(cues)).toBe(
    'WEBVTT\n\na\n00:00:00.000 --> 00:01:01.042\nfirst\n\n' +
      'b\n01:00:00.000 --> 01:00:01.000\na --&gt; &lt;b&gt;&amp;amp;&lt;/b&gt;\nsecond\n',
  );
});

it('maps timestamps that wrap after 26 hours', () => {
  const dayMs = 30 * 3_600_000;
  expect(webVtt([], dayMs)).toContain(`LOCAL:30:00:00.000,MPEGTS:${dayMs * 90 - 2 ** 33}`);
});
