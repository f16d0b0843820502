import fc from 'fast-check';
import { describe, it } from 'vitest';
import { MalformedMedia } from '../frame.ts';
import { audioSpecificConfigOf, parseAudioSpecificConfig } from './aac.ts';
import { parseAdts } from './adts.ts';
import { codecString } from './codec-string.ts';
import { avcParameterSets, avcRecordOf, parseAvcRecord } from './h264.ts';
import { parseH264Sps } from './h264-sps.ts';
import { hevcParameterSets, hevcRecordOf, parseHevcRecord } from './h265.ts';
import { parseH265Sps } from './h265-sps.ts';
import { parseMp3Header } from './mp3.ts';
import { fromAnnexB, NalCursor, splitAnnexB, toAnnexB } from './nal.ts';
import { opusHeadOf, opusPacketSamples, parseOpusHead } from './opus.ts';
import { realRecords } from './records.fixture.ts';

const parsers: Readonly<Record<string, (bytes: Buffer) => unknown>> = {
  parseAudioSpecificConfig,
  parseAdts,
  parseAvcRecord,
  avcParameterSets,
  avcRecordOf: (bytes) => avcRecordOf([bytes], [bytes]),
  parseH264Sps,
  parseHevcRecord,
  hevcParameterSets,
  hevcRecordOf: (bytes) => hevcRecordOf([bytes], [bytes], [bytes]),
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
  ...Object.values(realRecords()),
  audioSpecificConfigOf({ objectType: 2, sampleRate: 44_100, channels: 2 }),
  opusHeadOf(6),
];

/** Real bytes with some changed and the end cut off, or bytes that never meant anything. */
const hostile = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc
    .tuple(
      fc.constantFrom(...real),
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 8 }),
      fc.nat(),
    )
    .map(([source, changes, cut]) => {
      const bytes = Buffer.from(source);
      for (const [at, value] of changes) bytes[at % bytes.length] = value;
      return cut % 3 === 0 ? bytes.subarray(0, cut % (bytes.length + 1)) : bytes;
    }),
);

describe('hostile bytes', () => {
  it.each(Object.entries(parsers))('%s gives a plain result or says that they are malformed', (_, parse) => {
    fc.assert(
      fc.property(hostile, (bytes) => {
        try {
          parse(bytes);
        } catch (error) {
          if (!(error instanceof MalformedMedia)) throw error;
        }
      }),
      { numRuns: 3000 },
    );
  });
});
