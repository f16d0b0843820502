import { expect, it } from 'vitest';
import { audioType } from './audio-type.ts';

it.each([
  [Buffer.from('RIFF....WAVE'), 'audio/wav'],
  [Buffer.from('ID3\x03'), 'audio/mpeg'],
  [Buffer.from([0xff, 0xf1, 0x50]), 'audio/aac'],
  [Buffer.from([0xff, 0xf9, 0x50]), 'audio/aac'],
  [Buffer.from([0xff, 0xfb, 0x90]), 'audio/mpeg'],
  [Buffer.from([0xff, 0xf3, 0x90]), 'audio/mpeg'],
  [Buffer.from([0xff, 0xe3, 0x90]), 'audio/mpeg'],
  [Buffer.from('OggS\0'), 'audio/ogg'],
  [Buffer.from('fLaC\0'), 'audio/flac'],
  [Buffer.from('\0\0\0\x20ftypM4A '), 'audio/mp4'],
  [Buffer.from('RIFF....AVI '), undefined],
  [Buffer.from('<html>'), undefined],
  [Buffer.from('{"error":1}'), undefined],
  [Buffer.from([0xff]), undefined],
  [Buffer.from([0xff, 0xd8, 0xff]), undefined],
  [Buffer.alloc(0), undefined],
])('%j is %s', (bytes, type) => expect(audioType(bytes)).toBe(type));
