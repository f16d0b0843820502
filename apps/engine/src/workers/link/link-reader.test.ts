import type { MediaFrame } from '@weir/media';
import { describe, expect, it } from 'vitest';
import { messageKind, readFrame, readNote, writeFrameHead, writeNote } from './link-message.ts';
import { LinkReader } from './link-reader.ts';

const picture: MediaFrame = {
  kind: 'video',
  codec: 'h265',
  dtsMs: 40.5,
  ptsMs: 120.25,
  isKeyframe: true,
  payload: Buffer.from('a picture of some length'),
};
const sound: MediaFrame = {
  kind: 'audio',
  codec: 'opus',
  dtsMs: 2 ** 41,
  ptsMs: 2 ** 41,
  isKeyframe: true,
  payload: Buffer.alloc(0),
};
const note = { type: 'words', text: '文' };
const bytes = Buffer.concat([
  writeNote(note),
  writeFrameHead(7, picture),
  picture.payload,
  writeFrameHead(2 ** 32 - 1, sound),
  writeNote(note),
]);

function read(chunks: readonly Buffer[]) {
  const found: unknown[] = [];
  const reader = new LinkReader((kind, number, body) =>
    found.push(kind === messageKind.note ? readNote(body) : [number, readFrame(body)]),
  );
  for (const chunk of chunks) reader.push(chunk);
  return found;
}

describe('LinkReader', () => {
  it('returns the same messages however the bytes are split', () => {
    const whole = [note, [7, picture], [2 ** 32 - 1, sound], note];
    expect(read([bytes])).toEqual(whole);
    for (let at = 1; at < bytes.length; at++) expect(read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(whole);
    expect(read([...bytes].map((byte) => Buffer.of(byte)))).toEqual(whole);
  });

  it('allocates nothing for a message that is too long, or shorter than its header', () => {
    for (const length of [2 ** 32 - 1, 17 * 1024 * 1024, 4, 0]) {
      const head = Buffer.alloc(9);
      head.writeUInt32BE(length, 0);
      expect(() => read([head])).toThrow(/a message of/);
      expect(() => read([head.subarray(0, 3), head.subarray(3)])).toThrow(/a message of/);
    }
  });

  it('rejects an invalid frame or note', () => {
    expect(() => readFrame(Buffer.alloc(5))).toThrow('not a frame');
    expect(() => readFrame(Buffer.alloc(40, 9))).toThrow('not a frame');
    expect(() => readNote(Buffer.from('"text"'))).toThrow('not a note');
  });
});
