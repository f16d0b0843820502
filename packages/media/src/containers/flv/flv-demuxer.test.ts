import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { madeOnce } from '../../../../../tests/made-once.fixture.ts';
import { parseHevcRecord, writeHevcRecord } from '../../codecs/h265.ts';
import { h265NalType, joinNals, splitAnnexB } from '../../codecs/nal.ts';
import { type Demuxed, MalformedMedia, type MediaFrame, type TrackConfig } from '../../frame.ts';
import { flvTimestamp, writeFlvBody, writeFlvBodyHeader, writeFlvConfig, writeFlvMetadata } from './flv-body-writer.ts';
import { FlvDemuxer } from './flv-demuxer.ts';
import { flvHeader, flvTag } from './flv-muxer.ts';

const run = promisify(execFile);
let folder = '';
let made: Buffer = Buffer.alloc(0);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-flv-'));
  made = await makeFlv(['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-g', '25', '-c:a', 'aac']);
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

function makeFlv(codecs: readonly string[]): Promise<Buffer> {
  const video = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25'];
  const audio = ['-f', 'lavfi', '-i', 'sine=r=44100'];
  return readFile(madeOnce([...video, ...audio, '-t', '2', ...codecs], 'flv'));
}

async function probe(bytes: Buffer): Promise<string> {
  const path = join(folder, 'probe.flv');
  await writeFile(path, bytes);
  const entries = 'stream=codec_name,width,height,sample_rate,nb_read_packets:packet=codec_type,pts,dts,flags,size';
  const options = ['-v', 'error', '-count_packets', '-show_entries', entries, '-of', 'csv'];
  return (await run('ffprobe', [...options, path])).stdout;
}

function demux(bytes: Buffer, pieceBytes = bytes.length): Demuxed[] {
  const demuxer = new FlvDemuxer();
  const items: Demuxed[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes)
    items.push(...demuxer.push(bytes.subarray(at, at + pieceBytes)));
  return items;
}

function mux(items: readonly Demuxed[]): Buffer {
  const tags = items.map((item) => {
    if (item.type === 'metadata') return flvTag(18, 0, writeFlvMetadata(item.values));
    if (item.type === 'config') return flvTag(item.config.kind === 'video' ? 9 : 8, 0, writeFlvConfig(item.config));
    const { frame } = item;
    const body = [writeFlvBodyHeader(frame), frame.payload];
    return flvTag(frame.kind === 'video' ? 9 : 8, flvTimestamp(frame), body);
  });
  return Buffer.concat([flvHeader({ hasAudio: true, hasVideo: true }), ...tags]);
}

describe('FlvDemuxer', () => {
  it('reads a file of ffmpeg, and ffmpeg reads the copy back the same', async () => {
    const items = demux(made);
    expect(items.filter(({ type }) => type === 'config')).toMatchObject([
      { config: { codec: 'h264', width: 320, height: 180, fps: 25 } },
      { config: { codec: 'aac', sampleRate: 44_100, channels: 1 } },
    ]);
    expect(items.filter((item) => item.type === 'frame' && item.frame.kind === 'video')).toHaveLength(50);
    expect(await probe(mux(items))).toBe(await probe(made));
  });

  it('reads MP3 in a file of ffmpeg, and the copy has the same frames', async () => {
    const mp3 = await makeFlv(['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'libmp3lame']);
    const items = demux(mp3);
    expect(items).toContainEqual(expect.objectContaining({ config: expect.objectContaining({ codec: 'mp3' }) }));
    const withoutEmpty = items.filter((item) => item.type !== 'config' || item.config.codec !== 'mp3');
    expect(await probe(mux(withoutEmpty))).toBe(await probe(mp3));
  });

  it('reads the H.265 of a real encoder', async () => {
    const source = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25', '-frames:v', '5'];
    const codec = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error'];
    const nals = splitAnnexB(await readFile(madeOnce([...source, ...codec], 'hevc')));
    const ofType = (type: number) => nals.filter((nal) => h265NalType(nal.readUInt8(0)) === type);
    const record = writeHevcRecord(ofType(32), ofType(33), ofType(34));
    const config: TrackConfig = { kind: 'video', codec: 'h265', record, ...parseHevcRecord(record) };
    const pictures = nals.filter((nal) => h265NalType(nal.readUInt8(0)) < 32);
    const frames = pictures.map((nal, index): MediaFrame => {
      const payload = joinNals([nal]);
      return {
        kind: 'video',
        codec: 'h265',
        dtsMs: index * 40,
        ptsMs: index * 40 + 80,
        isKeyframe: index === 0,
        payload,
      };
    });
    const items: Demuxed[] = [
      { type: 'config', config },
      ...frames.map((frame) => ({ type: 'frame', frame }) as const),
    ];
    expect(config).toMatchObject({ width: 320, height: 180, profile: 'Main' });
    expect(demux(mux(items), 1000)).toEqual(items);
  });

  it('reads the same in chunks of any size', () => {
    const start = made.subarray(0, 20_000);
    const expected = demux(start);
    for (const size of [1, 2, 3, 4, 5, 7, 11, 13, 15, 100, 1000, 4096, 65_536]) {
      expect(demux(start, size)).toEqual(expected);
    }
  });

  it('reads a short file the same at every split', () => {
    const unknownTag = Buffer.concat([Buffer.from([7]), flvTag(8, 0, Buffer.from([1])).subarray(1)]);
    const bytes = Buffer.concat([
      flvHeader({ hasAudio: true, hasVideo: false }),
      flvTag(18, 0, writeFlvMetadata({ encoder: 'weir' })),
      flvTag(8, 0, Buffer.from([0xaf, 0, 0x12, 0x10])),
      unknownTag,
      flvTag(8, 0x01000001, Buffer.from([0xaf, 1, 1, 2, 3])),
    ]);
    const expected = demux(bytes);
    expect(expected.map(({ type }) => type)).toEqual(['metadata', 'config', 'frame']);
    expect(expected[2]).toMatchObject({ frame: { dtsMs: 0x01000001 } });
    for (let at = 1; at < bytes.length; at += 1) {
      const demuxer = new FlvDemuxer();
      expect([...demuxer.push(bytes.subarray(0, at)), ...demuxer.push(bytes.subarray(at))]).toEqual(expected);
    }
  });

  it.each<[string, Buffer]>([
    ['another file', Buffer.from('RIFF....WAVE....')],
    ['a header that claims 4 GB', Buffer.from([0x46, 0x4c, 0x56, 1, 5, 255, 255, 255, 255])],
    ['a tag of 16 MB', Buffer.concat([flvHeader({ hasAudio: true, hasVideo: true }), Buffer.alloc(11, 255)])],
  ])('refuses %s', (_name, bytes) => {
    expect(() => demux(bytes)).toThrow(MalformedMedia);
  });

  it('throws nothing but MalformedMedia when bytes are changed, cut out or random', () => {
    const base = made.subarray(0, 6000);
    const at = fc.integer({ min: 0, max: base.length - 1 });
    const change = fc.record({ at, value: fc.integer({ min: 0, max: 255 }) });
    const piece = fc.integer({ min: 1, max: 5000 });
    const attempt = (bytes: Buffer, size: number) => {
      try {
        demux(bytes, size);
      } catch (error) {
        if (!(error instanceof MalformedMedia)) throw error;
      }
    };
    fc.assert(
      fc.property(fc.array(change, { maxLength: 10 }), at, at, piece, (changes, from, to, size) => {
        const mutated = Buffer.from(base);
        for (const { at: index, value } of changes) mutated[index] = value;
        attempt(mutated, size);
        attempt(Buffer.concat([mutated.subarray(0, from), mutated.subarray(to)]), size);
      }),
      { numRuns: 300 },
    );
    const body = fc.uint8Array({ minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(fc.constantFrom<8 | 9 | 18>(8, 9, 18), body, piece, (kind, bytes, size) => {
        const head = flvHeader({ hasAudio: true, hasVideo: true });
        attempt(Buffer.concat([head, flvTag(kind, 0, Buffer.from(bytes))]), size);
        attempt(Buffer.concat([head, Buffer.from(bytes)]), size);
      }),
      { numRuns: 600 },
    );
  });
});

describe('FLV muxer', () => {
  it('writes header and tag as the specification shows them', () => {
    expect(flvHeader({ hasAudio: true, hasVideo: true }).toString('hex')).toBe('464c5601050000000900000000');
    expect(flvHeader({ hasAudio: true, hasVideo: false })[4]).toBe(4);
    expect(flvTag(9, 0x12345678, Buffer.from([1, 2])).toString('hex')).toBe(
      '0900000234567812000000' + '0102' + '0000000d',
    );
  });

  it('joins the parts of a body', () => {
    const frame = {
      kind: 'audio',
      codec: 'aac',
      dtsMs: 1.6,
      ptsMs: 1.6,
      isKeyframe: true,
      payload: Buffer.from([7]),
    } as const;
    expect(flvTag(8, 2, [writeFlvBodyHeader(frame), frame.payload])).toEqual(
      flvTag(8, frame.dtsMs, writeFlvBody(frame)),
    );
  });
});
