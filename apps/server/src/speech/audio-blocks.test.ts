import { describe, expect, it } from 'vitest';
import { AudioBlocks } from './audio-blocks.ts';

const element = (id: string, data: Buffer) => Buffer.concat([Buffer.from(id, 'hex'), sized(data.length), data]);
/** A size in four bytes. */
const sized = (length: number) =>
  Buffer.from([0x10 | (length >> 24), (length >> 16) & 255, (length >> 8) & 255, length & 255]);
const unknown = (id: string) => Buffer.concat([Buffer.from(id, 'hex'), Buffer.from('01ffffffffffffff', 'hex')]);
const block = (ms: number, pcm: Buffer) => {
  const head = Buffer.from([0x81, 0, 0, 0x80]);
  head.writeInt16BE(ms, 1);
  return element('a3', Buffer.concat([head, pcm]));
};
const time = (ms: number) => {
  const data = Buffer.alloc(4);
  data.writeUInt32BE(ms);
  return element('e7', data);
};
const [one, two] = [Buffer.alloc(1600, 1), Buffer.alloc(1600, 2)];
const stream = Buffer.concat([
  element('1a45dfa3', Buffer.alloc(30)),
  unknown('18538067'),
  element('1549a966', Buffer.alloc(200)),
  element('1654ae6b', Buffer.alloc(90)),
  element('1f43b675', Buffer.concat([time(123_456), block(0, one)])),
  unknown('1f43b675'),
  time(123_506),
  block(7, two),
]);

describe('AudioBlocks', () => {
  it('finds pieces and their times, however the bytes are split', () => {
    const expected = [
      { atMs: 123_456, pcm: one },
      { atMs: 123_513, pcm: two },
    ];
    for (const size of [1, 2, 3, 7, 100, 1601, stream.length]) {
      const blocks = new AudioBlocks();
      const found = [];
      for (let at = 0; at < stream.length; at += size) found.push(...blocks.push(stream.subarray(at, at + size)));
      expect(found).toEqual(expected);
    }
  });

  it('refuses other formats, without buffering them', () => {
    expect(() => new AudioBlocks().push(Buffer.alloc(100))).toThrow('not the audio');
    expect(() => new AudioBlocks().push(element('a3', Buffer.alloc(0)).fill(0x1f, 1, 5))).toThrow('not the audio');
  });
});
