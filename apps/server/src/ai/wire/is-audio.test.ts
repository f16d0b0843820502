import { expect, it } from 'vitest';
import { isAudio } from './is-audio.ts';

it.each([
  [Buffer.from('RIFF....WAVE'), true],
  [Buffer.from('ID3\x03'), true],
  [Buffer.from([0xff, 0xf1, 0x50]), true],
  [Buffer.from([0xff, 0xfb, 0x90]), true],
  [Buffer.from('\0\0\0\x20ftypM4A '), true],
  [Buffer.from('<html>'), false],
  [Buffer.from('{"error":1}'), false],
  [Buffer.from([0xff]), false],
  [Buffer.alloc(0), false],
])('%j is audio: %s', (bytes, answer) => expect(isAudio(bytes)).toBe(answer));
