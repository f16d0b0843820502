import { describe, expect, it } from 'vitest';
import { MalformedMedia } from '../../../frame.ts';
import type { RtmpMessage } from '../message.ts';
import { ChunkReader } from './chunk-reader.ts';
import { encodeMessage, encodeSetChunkSize } from './chunk-writer.ts';

function bytes(length: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, index) => (index * 7) & 255));
}

function header(id: number, time: number, length: number, type = 9): Buffer {
  const out = Buffer.alloc(12);
  out[0] = id;
  out.writeUIntBE(time, 1, 3);
  out.writeUIntBE(length, 4, 3);
  out[7] = type;
  out.writeUInt32LE(1, 8);
  return out;
}

function readAll(input: Buffer, size = input.length): RtmpMessage[] {
  const reader = new ChunkReader();
  const messages: RtmpMessage[] = [];
  for (let at = 0; at < input.length; at += size) messages.push(...reader.push(input.subarray(at, at + size)));
  return messages;
}

const uint32 = (value: number) => Buffer.from([value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]);

describe('ChunkReader', () => {
  const messages: RtmpMessage[] = [
    { type: 20, streamId: 0, timestamp: 0, payload: bytes(300) },
    { type: 9, streamId: 1, timestamp: 40, payload: bytes(1000) },
    { type: 8, streamId: 1, timestamp: 0xffffff, payload: bytes(400) },
    { type: 9, streamId: 1, timestamp: 0xfffffffe, payload: bytes(129) },
    { type: 8, streamId: 1, timestamp: 41, payload: bytes(0) },
    { type: 8, streamId: 1, timestamp: 41, payload: bytes(128) },
  ];
  const wire = Buffer.concat(
    messages.map((message, index) => encodeMessage({ ...message, chunkStreamId: 3 + index }, 128)),
  );

  it('reads the output of the writer', () => {
    expect(readAll(wire)).toEqual(messages);
  });

  it('reads the same at every split', () => {
    for (let at = 0; at <= wire.length; at += 1) {
      const reader = new ChunkReader();
      expect([...reader.push(wire.subarray(0, at)), ...reader.push(wire.subarray(at))]).toEqual(messages);
    }
    for (const size of [1, 2, 3, 5, 7, 13, 127, 130]) expect(readAll(wire, size)).toEqual(messages);
  });

  it('returns a view when a message lies in one chunk of one buffer', () => {
    const [message] = new ChunkReader().push(wire.subarray(-140));
    expect(message?.payload.buffer).toBe(wire.buffer);
  });

  it.each([
    ['two bytes', Buffer.from([0, 6])],
    ['three bytes', Buffer.from([1, 0x10, 0x20])],
  ])('reads chunk IDs of %s', (_name, basic) => {
    const first = Buffer.concat([basic, header(0, 5, 2).subarray(1), bytes(2)]);
    const next = Buffer.concat([Buffer.from([0xc0 | (basic[0] ?? 0)]), basic.subarray(1), bytes(2)]);
    for (const size of [1, 2, 3, 5, 100]) {
      expect(readAll(Buffer.concat([first, next]), size).map(({ timestamp }) => timestamp)).toEqual([5, 10]);
    }
  });

  it('adds deltas of types 1, 2 and 3', () => {
    const input = Buffer.concat([
      header(4, 1000, 1),
      bytes(1),
      Buffer.from([0x44, 0, 0, 20, 0, 0, 2, 8, 1, 2]),
      Buffer.from([0x84, 0, 0, 30, 3, 4]),
      Buffer.from([0xc4, 5, 6]),
    ]);
    const result = readAll(input, 3);
    expect(result.map(({ timestamp }) => timestamp)).toEqual([1000, 1020, 1050, 1080]);
    expect(result.map(({ type }) => type)).toEqual([9, 8, 8, 8]);
  });

  it('wraps timestamps at 32 bits', () => {
    const input = Buffer.concat([
      header(4, 0xffffff, 1),
      uint32(0xfffffff0),
      bytes(1),
      Buffer.from([0x84, 0, 0, 0x20, 1]),
    ]);
    expect(readAll(input).map(({ timestamp }) => timestamp)).toEqual([0xfffffff0, 0x10]);
  });

  it('gives a type 3 message after a late type 0 the same timestamp', () => {
    const input = Buffer.concat([header(4, 500_000, 1), bytes(1), Buffer.from([0xc4, 9])]);
    expect(readAll(input).map(({ timestamp }) => timestamp)).toEqual([500_000, 500_000]);
  });

  it('accepts peers that do not repeat the extended timestamp', () => {
    const payload = bytes(300);
    const message = Buffer.concat([
      header(4, 0xffffff, 300),
      uint32(0x01000000),
      payload.subarray(0, 128),
      Buffer.from([0xc4]),
      payload.subarray(128, 256),
      Buffer.from([0xc4]),
      payload.subarray(256),
    ]);
    for (const size of [1, 3, 1000]) {
      const result = readAll(Buffer.concat([message, message]), size);
      expect(result.map((item) => item.payload)).toEqual([payload, payload]);
      expect(result.map((item) => item.timestamp)).toEqual([0x01000000, 0x01000000]);
    }
  });

  it('reads interleaved chunk streams', () => {
    const input = Buffer.concat([
      header(4, 1, 130, 8),
      bytes(128),
      header(6, 2, 1),
      Buffer.from([9]),
      Buffer.from([0xc4, 1, 2]),
    ]);
    expect(readAll(input, 11).map(({ type }) => type)).toEqual([9, 8]);
  });

  it('drops a message that the peer aborts', () => {
    const abort = Buffer.concat([header(2, 0, 4, 2), uint32(4)]);
    const input = Buffer.concat([header(4, 1, 130), bytes(128), abort, header(4, 9, 1), bytes(1)]);
    expect(readAll(input).map(({ timestamp }) => timestamp)).toEqual([9]);
  });

  it('applies a new chunk size at once', () => {
    const input = Buffer.concat([encodeSetChunkSize(60_000), header(4, 1, 50_000), bytes(50_000)]);
    expect(readAll(input, 16_384)[0]?.payload).toEqual(bytes(50_000));
  });

  it('splits aggregates and shifts their timestamps', () => {
    const part = (type: number, time: number, payload: Buffer) =>
      Buffer.concat([
        Buffer.from([type, 0, 0, payload.length, 0, 0, time, 0, 0, 0, 0]),
        payload,
        uint32(11 + payload.length),
      ]);
    const payload = Buffer.concat([part(8, 10, bytes(3)), part(9, 30, bytes(5)), part(22, 40, bytes(1))]);
    const wireBytes = encodeMessage({ type: 22, streamId: 1, timestamp: 1000, payload, chunkStreamId: 5 }, 128);
    expect(readAll(wireBytes)).toEqual([
      { type: 8, streamId: 1, timestamp: 1000, payload: bytes(3) },
      { type: 9, streamId: 1, timestamp: 1020, payload: bytes(5) },
    ]);
  });
});

describe('ChunkReader under attack', () => {
  const setChunkSize = (value: number) => Buffer.concat([header(2, 0, 4, 1), uint32(value)]);
  it.each<[string, Buffer]>([
    ['chunk size 0', setChunkSize(0)],
    ['chunk size 2^31', setChunkSize(2 ** 31)],
    ['chunk size 2^31 - 1', setChunkSize(2 ** 31 - 1)],
    ['a chunk size of two bytes', Buffer.concat([header(2, 0, 2, 1), bytes(2)])],
    ['a message of 16 MB', header(4, 0, 0xffffff)],
    ['a chunk stream that begins with type 3', Buffer.from([0xc4, 1])],
    ['a chunk stream that begins with type 2', Buffer.from([0x84, 0, 0, 1, 1])],
    ['a message inside another', Buffer.concat([header(4, 0, 200), bytes(128), header(4, 0, 200)])],
    [
      'an aggregate that ends inside a part',
      Buffer.concat([header(4, 0, 11, 22), Buffer.from([9, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])]),
    ],
    ['an aggregate that ends inside a header', Buffer.concat([header(4, 0, 3, 22), bytes(3)])],
  ])('refuses %s', (_name, input) => {
    expect(() => readAll(input)).toThrow(MalformedMedia);
  });

  it('refuses more than 64 chunk streams', () => {
    const reader = new ChunkReader();
    const open = (id: number) =>
      reader.push(Buffer.concat([Buffer.from([0, id]), header(0, 0, 1).subarray(1), bytes(1)]));
    for (let id = 0; id < 64; id += 1) expect(open(id)).toHaveLength(1);
    expect(() => open(64)).toThrow(MalformedMedia);
  });

  it('allocates memory for received bytes, not for declared lengths', () => {
    const before = process.memoryUsage().arrayBuffers;
    const readers = Array.from({ length: 50 }, () => new ChunkReader());
    for (const reader of readers) reader.push(Buffer.concat([header(4, 0, 8 * 1024 * 1024), bytes(128)]));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * 512 * 1024);
  });

  it('reads a message of 5 MB', () => {
    const payload = Buffer.alloc(5 * 1024 * 1024, 'weir');
    const input = encodeMessage({ type: 9, streamId: 1, timestamp: 0, payload, chunkStreamId: 6 }, 60_000);
    const [message] = readAll(Buffer.concat([encodeSetChunkSize(60_000), input]), 65_536);
    expect(message?.payload.equals(payload)).toBe(true);
  });

  it('holds at most 16 MB of unfinished messages', () => {
    const reader = new ChunkReader();
    const open = (id: number) => reader.push(Buffer.concat([header(id, 0, 8 * 1024 * 1024), bytes(128)]));
    open(3);
    open(4);
    expect(() => open(5)).toThrow(MalformedMedia);
  });
});

describe('the age of an unfinished RTMP message', () => {
  // A header that promises 35 bytes, as ffmpeg sends it: in a segment of its own.
  const begin = header(8, 0, 35, 20);

  it('counts from the first check after it began', () => {
    const reader = new ChunkReader();
    reader.push(begin);
    expect(reader.tick(1_000_000)).toBe(0);
    expect(reader.tick(1_002_000)).toBe(2000);
  });

  it('is undefined once it has ended', () => {
    const reader = new ChunkReader();
    reader.tick(5000);
    reader.push(begin);
    expect(reader.tick(9000)).toBe(4000);
    expect(reader.push(Buffer.alloc(35))).toHaveLength(1);
    expect(reader.tick(30_000)).toBe(0);
  });
});
