import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { realRecords } from '../../codecs/records.fixture.ts';
import { type Demuxed, MalformedMedia, mostTracks } from '../../frame.ts';
import { expectCivil } from '../../seeds.fixture.ts';
import { readFlvTracks } from './flv-body.ts';
import { type FlvKind, flvKind } from './flv-codec.ts';
import { FlvTracksReader } from './flv-tracks-reader.ts';

const { avc, hevc } = realRecords();
const nal = Buffer.from('0000000565888800ff', 'hex');
const asc = Buffer.from('1208', 'hex');

const bytes = (...parts: (number | string | Buffer)[]) =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === 'number' ? Buffer.from([part]) : Buffer.isBuffer(part) ? part : Buffer.from(part),
    ),
  );
const size24 = (data: Buffer) => Buffer.from([data.length >> 16, (data.length >> 8) & 255, data.length & 255]);
const sized = (track: number, data: Buffer) => bytes(track, size24(data), data);

/** Describes in words what the reader finds in these messages. */
function read(...messages: readonly (readonly [FlvKind, Buffer])[]): string[] {
  const found: string[] = [];
  const reader = new FlvTracksReader((item, track) => found.push(`${track} ${describeItem(item)}`));
  for (const [kind, body] of messages) reader.read(kind, 40, body);
  return found;
}

function describeItem(item: Demuxed): string {
  if (item.type === 'config') return `config ${item.config.codec}`;
  if (item.type === 'metadata') return 'metadata';
  const { codec, dtsMs, ptsMs, isKeyframe, payload } = item.frame;
  return `${codec} ${dtsMs}+${ptsMs - dtsMs}${isKeyframe ? ' key' : ''} ${payload.length}`;
}

const { video, audio } = flvKind;

describe('messages of several tracks (Enhanced RTMP v2)', () => {
  it('reads one track, as OBS sends each but the first', () => {
    expect(
      read(
        [video, bytes(0x90, 'avc1', avc)],
        [video, bytes(0x96, 0x00, 'avc1', 1, avc)],
        [video, bytes(0x96, 0x01, 'avc1', 1, 0, 0, 80, nal)],
        [video, bytes(0xa6, 0x03, 'avc1', 1, nal)],
        [audio, bytes(0x95, 0x00, 'mp4a', 2, asc)],
        [audio, bytes(0x95, 0x01, 'mp4a', 2, 'sound')],
      ),
    ).toEqual([
      '0 config h264',
      '1 config h264',
      '1 h264 40+80 key 9',
      '1 h264 40+0 9',
      '2 config aac',
      '2 aac 40+0 key 5',
    ]);
  });

  it('reads many tracks of one codec and of several', () => {
    expect(
      read(
        [video, bytes(0x96, 0x10, 'avc1', sized(0, avc), sized(3, avc))],
        [video, bytes(0x96, 0x11, 'avc1', sized(0, bytes(0, 0, 0, nal)), sized(3, bytes(0, 0, 40, nal)))],
        [video, bytes(0x96, 0x20, 'hvc1', sized(1, hevc), 'avc1', sized(2, avc))],
        [
          audio,
          bytes(
            0x95,
            0x20,
            'mp4a',
            sized(0, asc),
            'Opus',
            sized(1, Buffer.from('4f707573486561640102000080bb0000000000', 'hex')),
          ),
        ],
        [audio, bytes(0x95, 0x21, 'mp4a', sized(0, Buffer.from('ab')), 'Opus', sized(1, Buffer.from('c')))],
      ),
    ).toEqual([
      '0 config h264',
      '3 config h264',
      '0 h264 40+0 key 9',
      '3 h264 40+40 key 9',
      '1 config h265',
      '2 config h264',
      '0 config aac',
      '1 config opus',
      '0 aac 40+0 key 2',
      '1 opus 40+0 key 1',
    ]);
  });

  it('skips modifiers, reserved forms, unknown codecs and what is not media', () => {
    expect(read([video, bytes(0x97, 2, 1, 2, 3, 0x06, 0x00, 'avc1', 1, avc)])).toEqual(['1 config h264']);
    expect(read([video, bytes(0x96, 0x30, 'avc1', 1, avc)])).toEqual([]);
    expect(read([video, bytes(0x96, 0x10, 'vvc1', sized(1, avc))])).toEqual([]);
    expect(read([video, bytes(0x96, 0x02, 'avc1', 1)], [video, bytes(0xd6, 0)])).toEqual([]);
  });

  it('S40: keeps no reader for more tracks than it reads, and refuses endless lists', () => {
    const starts = Array.from({ length: 256 }, (_, track) => bytes(0x96, 0x00, 'avc1', track, avc));
    expect(read(...starts.map((body) => [video, body] as const))).toHaveLength(mostTracks);
    const endless = bytes(
      0x96,
      0x13,
      'avc1',
      Buffer.concat(Array.from({ length: 300 }, () => sized(1, Buffer.from('x')))),
    );
    expect(() => read([video, endless])).toThrow(MalformedMedia);
  });

  it('S34: says of every other message that it is malformed, or ignores it', () => {
    const body = fc.tuple(
      fc.constantFrom(video, audio),
      fc.constantFrom('9600', '9601', '9610', '9611', '9621', '95', '9500', '9510', '9521', '96', '97ff'),
      fc.constantFrom('', 'avc1', 'hvc1', 'av01', 'mp4a'),
      fc.array(
        fc.oneof(
          fc.constantFrom(avc, hevc, asc, nal, Buffer.from('ffffff', 'hex'), Buffer.from('avc1')),
          fc.uint8Array({ maxLength: 12 }).map((array) => Buffer.from(array)),
          fc
            .tuple(fc.nat({ max: 255 }), fc.uint8Array({ maxLength: 40 }))
            .map(([track, array]) => sized(track, Buffer.from(array))),
        ),
        { maxLength: 5 },
      ),
    );
    fc.assert(
      fc.property(fc.array(body, { maxLength: 6 }), (bodies) => {
        const reader = new FlvTracksReader(() => undefined);
        for (const [kind, head, fourCc, rest] of bodies) {
          const message = bytes(Buffer.from(head, 'hex'), fourCc, Buffer.concat(rest));
          expectCivil(() => reader.read(kind, 0, message));
          expectCivil(() => void readFlvTracks(kind, 0, message));
        }
      }),
      { numRuns: 1000 },
    );
  });
});
