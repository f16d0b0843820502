import fc from 'fast-check';
import { describe, it } from 'vitest';
import { beginnings, expectCivil, mutated, seeds } from '../seeds.fixture.ts';
import { parseAudioSpecificConfig, writeAudioSpecificConfig } from './aac.ts';
import { parseAdts } from './adts.ts';
import { codecString } from './codec-string.ts';
import { avcParameterSets, parseAvcRecord, writeAvcRecord } from './h264.ts';
import { parseH264Sps } from './h264-sps.ts';
import { hevcParameterSets, parseHevcRecord, writeHevcRecord } from './h265.ts';
import { parseH265Sps } from './h265-sps.ts';
import { parseMp3Header } from './mp3.ts';
import { fromAnnexB, NalCursor, splitAnnexB, toAnnexB } from './nal.ts';
import { opusPacketSamples, parseOpusHead, writeOpusHead } from './opus.ts';
import { realRecords } from './records.fixture.ts';

const parsers: Readonly<Record<string, (bytes: Buffer) => unknown>> = {
  parseAudioSpecificConfig,
  parseAdts,
  parseAvcRecord,
  avcParameterSets,
  avcRecordOf: (bytes) => writeAvcRecord([bytes], [bytes]),
  parseH264Sps,
  parseHevcRecord,
  hevcParameterSets,
  hevcRecordOf: (bytes) => writeHevcRecord([bytes], [bytes], [bytes]),
  parseH265Sps,
  parseMp3Header,
  parseOpusHead,
  opusPacketSamples,
  fromAnnexB,
  splitAnnexB,
  toAnnexB: (bytes) => toAnnexB(bytes),
  NalCursor: (bytes) => {
    for (const cursor = new NalCursor(bytes, 2); cursor.next(); ) cursor.view();
  },
  codecString: (record) => {
    const video = { kind: 'video', record, width: 0, height: 0, profile: '', level: '', fps: 0 } as const;
    const kinds = ['h264', 'h265', 'av1', 'vp9'] as const;
    for (const codec of kinds) codecString({ ...video, codec });
    codecString({ kind: 'audio', codec: 'aac', record, sampleRate: 0, channels: 0, profile: '' });
  },
};

const real = [
  ...seeds('codecs').map(([, bytes]) => bytes),
  ...Object.values(realRecords()),
  writeAudioSpecificConfig({ objectType: 2, sampleRate: 44_100, channels: 2 }),
  writeOpusHead(6),
];

/** Real bytes with anything done to them, or bytes that never meant anything. */
const hostile = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  mutated(real),
);

describe('codec parsers on hostile bytes', () => {
  it.each(Object.entries(parsers))('%s returns a result or reports malformed bytes', (_, parse) => {
    fc.assert(
      fc.property(hostile, (bytes) => {
        expectCivil(() => parse(bytes));
      }),
      { numRuns: 1000 },
    );
  });

  it.each(Object.entries(parsers))('%s accepts real input cut off anywhere', (_, parse) => {
    for (const seed of real) for (const beginning of beginnings(seed)) expectCivil(() => parse(beginning));
  });
});
