import { describe, expect, it } from 'vitest';
import { clipOf, encodeTs, testPicture, x264 } from '../containers/mpegts/clip.fixture.ts';
import { announcesBFrames } from './h264.ts';

function recordOf(...args: readonly string[]): Buffer {
  const { video } = clipOf(encodeTs(...testPicture, ...x264, ...args));
  if (!video) throw new Error('a clip without pictures');
  return video.record;
}

describe('announcesBFrames', () => {
  it.each([
    ['two B-frames', ['-bf', '2'], true],
    [
      'two B-frames and a buffer model',
      ['-bf', '2', '-x264-params', 'nal-hrd=cbr', '-b:v', '1M', '-maxrate', '1M', '-bufsize', '1M'],
      true,
    ],
    ['none', ['-bf', '0'], false],
    ['a profile without them', ['-profile:v', 'baseline'], false],
    ['an encoder for calls', ['-tune', 'zerolatency'], false],
  ])('reads %s', (_title, args, expected) => {
    expect(announcesBFrames(recordOf(...args))).toBe(expected);
  });

  it('returns false for a stream without usability information', () => {
    // A picture of 176 × 144 without usability information: profile 77, level 1.1.
    const sps = Buffer.from('674d400b95b0b04e40', 'hex');
    const record = Buffer.concat([
      Buffer.from([1, 77, 64, 11, 0xff, 0xe1, 0, sps.length]),
      sps,
      Buffer.from([1, 0, 1, 0x68]),
    ]);
    expect(announcesBFrames(record)).toBe(false);
  });
});
