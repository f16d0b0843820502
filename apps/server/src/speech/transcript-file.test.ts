import { expect, it } from 'vitest';
import { transcriptFile } from './transcript-file.ts';

const cues = [
  { startMs: 500, endMs: 2900, text: 'Hello <b>all</b> & 你好' },
  { startMs: 2000, endMs: 2100, text: 'two\n\n lines\u2028{\\an8}\0' },
  { startMs: 3_723_004, endMs: 3_723_004, text: '00:00:01 --> 00:00:02' },
];

it('writes SubRip whose texts end before the next begins, and are no markup', () => {
  expect(transcriptFile(cues, 'srt')).toBe(
    '1\n00:00:00,500 --> 00:00:02,000\nHello ‹b›all‹/b› & 你好\n\n' +
      '2\n00:00:02,000 --> 00:00:02,500\ntwo\nlines\n(\\an8)\n\n' +
      '3\n01:02:03,004 --> 01:02:03,504\n00:00:01 --› 00:00:02\n\n',
  );
});

it('writes WebVTT with escaped characters', () => {
  expect(transcriptFile(cues, 'vtt')).toBe(
    'WEBVTT\n\n00:00:00.500 --> 00:00:02.000\nHello &lt;b&gt;all&lt;/b&gt; &amp; 你好\n\n' +
      '00:00:02.000 --> 00:00:02.500\ntwo\nlines\n{\\an8}\n\n' +
      '01:02:03.004 --> 01:02:03.504\n00:00:01 --&gt; 00:00:02\n\n',
  );
});

it('writes plain text, one line for each cue', () => {
  expect(transcriptFile(cues, 'txt')).toBe('Hello <b>all</b> & 你好\ntwo lines {\\an8}\n00:00:01 --> 00:00:02\n');
});
