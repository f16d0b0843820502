import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { realRecords } from '../../codecs/records.fixture.ts';
import type { Demuxed, MediaFrame, TrackConfig } from '../../frame.ts';
import { type Amf0Value, decodeAmf0, encodeAmf0 } from '../../protocols/rtmp/amf0.ts';
import { encodeMedia } from '../../protocols/rtmp/outgoing.ts';
import { expectCivil, mutated, seeds } from '../../seeds.fixture.ts';
import { FlvBodyReader } from './flv-body-reader.ts';
import { flvTimestamp, writeFlvBody, writeFlvConfig, writeFlvMetadata } from './flv-body-writer.ts';
import { type FlvKind, flvKind } from './flv-codec.ts';
import { FlvDemuxer } from './flv-demuxer.ts';
import { flvHeader, flvTag } from './flv-muxer.ts';

const { avc, hevc } = realRecords();

/** Text as it may stand in AMF0, valid or not, also of the lengths where a form ends. */
const text = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  fc
    .tuple(fc.constantFrom(21_845, 21_846, 32_767, 65_535), fc.constantFrom(0xff, 0x41, 0xc3, 0xed))
    .map(([length, byte]) => Buffer.alloc(length, byte)),
);
const length16 = (bytes: Buffer) => Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
const value: fc.Arbitrary<Buffer> = fc.letrec<{ value: Buffer }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.double().map((number) => encodeAmf0([number])),
    fc.constantFrom([5], [6], [1, 0], [13], [7, 0, 1]).map((bytes) => Buffer.from(bytes)),
    fc.uint8Array({ minLength: 10, maxLength: 10 }).map((bytes) => Buffer.concat([Buffer.from([11]), bytes])),
    text.map((bytes) => Buffer.concat([Buffer.from([2]), length16(bytes)])),
    fc.array(fc.tuple(text, tie('value')), { maxLength: 4 }).chain((entries) => {
      const body = Buffer.concat(entries.flatMap(([key, item]) => [length16(key), item]));
      const heads = [[3], [8, 0, 0, 0, 0], [16, 0, 1, 0x41]].map((bytes) => Buffer.from(bytes));
      return fc.constantFrom(...heads).map((head) => Buffer.concat([head, body, Buffer.from([0, 0, 9])]));
    }),
    fc
      .array(tie('value'), { maxLength: 4 })
      .map((items) => Buffer.concat([Buffer.from([10, 0, 0, 0, items.length]), ...items])),
  ),
})).value;
const metadata = value.map((bytes) => Buffer.concat([encodeAmf0(['onMetaData']), bytes]));

/** Writes everything the engine sends for one body over HTTP-FLV and RTMP. Nothing may throw. */
function writeAll(items: readonly Demuxed[]): Buffer {
  const written = items.map((item): [FlvKind, number, Buffer] => {
    if (item.type === 'metadata') return [flvKind.script, 0, writeFlvMetadata(item.values)];
    if (item.type === 'config') return [flvKind[item.config.kind], 0, writeFlvConfig(item.config)];
    return [flvKind[item.frame.kind], flvTimestamp(item.frame), writeFlvBody(item.frame)];
  });
  for (const [kind, timestamp, body] of written) encodeMedia(kind, timestamp, body);
  const tags = written.map(([kind, timestamp, body]) => flvTag(kind, timestamp, body));
  return Buffer.concat([flvHeader({ hasAudio: true, hasVideo: true }), ...tags]);
}

function readBody(reader: FlvBodyReader, kind: FlvKind, timestamp: number, body: Buffer): Demuxed[] {
  let items: Demuxed[] = [];
  expectCivil(() => {
    items = reader.read(kind, timestamp, body);
  });
  return items;
}

describe('S34: encode(decode(x)) of publisher input', () => {
  it('does not throw for decodable AMF0, and keeps its value', () => {
    const input = fc.oneof(
      metadata,
      mutated(seeds('amf0').map(([, bytes]) => bytes)),
      mutated([Buffer.alloc(70_000, 2)]),
    );
    fc.assert(
      fc.property(input, (bytes) => {
        let values: Amf0Value[] = [];
        expectCivil(() => {
          values = decodeAmf0(bytes);
        });
        const once = encodeAmf0(values);
        // Bytes that are no text grow when they become such.
        const limits = { maxStringBytes: 1 << 20, maxDepth: 32 };
        expect(encodeAmf0(decodeAmf0(once, limits))).toEqual(once);
      }),
      { numRuns: 300 },
    );
  });

  it('does not throw for metadata of FLV or RTMP, and a player can read it', () => {
    fc.assert(
      fc.property(metadata, (bytes) => {
        const items = readBody(new FlvBodyReader(), flvKind.script, 0, bytes);
        const file = writeAll(items);
        expectCivil(() => void new FlvDemuxer().push(file));
      }),
      { numRuns: 1000 },
    );
  });

  it('does not throw for an audio or video body', () => {
    const bodies = fc.array(
      fc.record({
        kind: fc.constantFrom(flvKind.video, flvKind.audio, flvKind.script),
        timestamp: fc.nat({ max: 2 ** 32 - 1 }),
        head: fc.constantFrom(
          '17',
          '1700000000',
          '1701000000',
          '27017fffff',
          '9168766331',
          'af00',
          'af01',
          '9f',
          '2f',
          '',
        ),
        rest: fc.oneof(
          fc.constantFrom(avc, hevc),
          fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
        ),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(bodies, (some) => {
        const reader = new FlvBodyReader();
        for (const { kind, timestamp, head, rest } of some)
          writeAll(readBody(reader, kind, timestamp, Buffer.concat([Buffer.from(head, 'hex'), rest])));
      }),
      { numRuns: 3000 },
    );
  });

  it('does not throw for a frame with any timestamps', () => {
    const times = fc.oneof(fc.double(), fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), fc.constant(Number.NaN));
    const frame = fc.record({
      codec: fc.constantFrom('h264', 'h265', 'av1', 'vp9', 'aac', 'mp3', 'opus'),
      dtsMs: times,
      ptsMs: times,
      isKeyframe: fc.boolean(),
      payload: fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)),
    });
    fc.assert(
      fc.property(frame, (some) => {
        const kind = ['aac', 'mp3', 'opus'].includes(some.codec) ? 'audio' : 'video';
        writeAll([{ type: 'frame', frame: { ...some, kind } as MediaFrame }]);
        const config = { kind, codec: some.codec, record: some.payload } as TrackConfig;
        writeAll([{ type: 'config', config }]);
      }),
      { numRuns: 3000 },
    );
  });
});
