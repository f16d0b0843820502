import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { isSilentAudio } from './silent-audio.ts';

/** Frames of AAC as ffmpeg makes them of a source, without their ADTS heads. */
function aacOf(source: string, ...args: string[]): Buffer[] {
  const input = ['-f', 'lavfi', '-i', source, '-t', '1'];
  const bytes = execFileSync('ffmpeg', ['-v', 'error', ...input, '-c:a', 'aac', ...args, '-f', 'adts', '-']);
  const frames: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = (bytes.readUInt32BE(at + 3) >>> 13) & 0x1fff;
    frames.push(bytes.subarray(at + 7, at + length));
    at += length;
  }
  // The first ones hold the encoder's name and what it begins with.
  return frames.slice(3);
}

const share = (frames: readonly Buffer[]) =>
  frames.filter((frame) => isSilentAudio('aac', frame)).length / frames.length;

it.each(['1', '2'])('distinguishes silence in %s channels of AAC from a quiet tone', (channels) => {
  const silence = `anullsrc=r=44100:cl=${channels === '1' ? 'mono' : 'stereo'}`;
  expect(share(aacOf(silence))).toBe(1);
  expect(share(aacOf('sine=f=440,volume=0.05', '-ac', channels))).toBe(0);
  expect(share(aacOf('anoisesrc=a=0.01', '-ac', channels, '-b:a', '32k'))).toBe(0);
});

it('is not deceived by padding that keeps the bitrate constant', () => {
  const [frame = Buffer.alloc(0)] = aacOf('anullsrc=r=44100:cl=stereo');
  expect(isSilentAudio('aac', Buffer.concat([frame, Buffer.alloc(300, 0xd7)]))).toBe(true);
});

it('detects silence of Opus by frame length, and never of MP3', () => {
  expect(isSilentAudio('opus', Buffer.from([0xf8, 0xff, 0xfe]))).toBe(true);
  expect(isSilentAudio('opus', Buffer.alloc(40))).toBe(false);
  expect(isSilentAudio('mp3', Buffer.alloc(4))).toBe(false);
});

it('accepts frames of any length', () => {
  for (let length = 0; length < 40; length += 1) {
    for (const fill of [0, 0x20, 0x21, 0xff]) isSilentAudio('aac', Buffer.alloc(length, fill));
  }
});
