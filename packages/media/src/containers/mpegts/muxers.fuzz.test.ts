import fc from 'fast-check';
import { describe, it } from 'vitest';
import { writeAudioSpecificConfig } from '../../codecs/aac.ts';
import { writeOpusHead } from '../../codecs/opus.ts';
import { realRecords } from '../../codecs/records.fixture.ts';
import type { AudioConfig, MediaFrame, VideoConfig } from '../../frame.ts';
import { expectCivil } from '../../seeds.fixture.ts';
import { Fmp4Muxer } from '../fmp4/fmp4-muxer.ts';
import { MpegTsMuxer } from './mpegts-muxer.ts';

const { avc, hevc } = realRecords();
const bytes = fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array));
const times = fc.oneof(fc.integer({ min: -1000, max: 2 ** 40 }), fc.double({ min: -1000, max: 2 ** 40, noNaN: true }));

/** A publisher decides over its records and payloads, so a muxer meets all of them. */
const video = fc
  .record({ codec: fc.constantFrom('h264', 'h265', 'av1', 'vp9'), record: fc.oneof(fc.constantFrom(avc, hevc), bytes) })
  .map((some): VideoConfig => ({ kind: 'video', width: 2, height: 2, profile: '', level: '', fps: 0, ...some }));
const audio = fc
  .record({
    codec: fc.constantFrom('aac', 'mp3', 'opus'),
    record: fc.oneof(
      fc.constantFrom(writeOpusHead(2), writeAudioSpecificConfig({ objectType: 2, sampleRate: 48_000, channels: 2 })),
      bytes,
    ),
    sampleRate: fc.integer({ min: 0, max: 200_000 }),
    channels: fc.integer({ min: 0, max: 255 }),
  })
  .map((some): AudioConfig => ({ kind: 'audio', profile: '', ...some }));
const frame = fc
  .record({
    isVideo: fc.boolean(),
    isKeyframe: fc.boolean(),
    dtsMs: times,
    ptsMs: times,
    payload: bytes,
    isWhole: fc.boolean(),
  })
  .map(({ isVideo, isWhole, payload, ...rest }) => {
    if (isWhole && payload.length > 4) payload.writeUInt32BE(payload.length - 4, 0);
    return { kind: isVideo ? ('video' as const) : ('audio' as const), payload, ...rest };
  });

describe('muxers on hostile frames', () => {
  it('write, or throw MalformedMedia, whatever a publisher sends', () => {
    fc.assert(
      fc.property(video, audio, fc.array(frame, { maxLength: 12 }), (videoConfig, audioConfig, some) => {
        const codecs = { video: videoConfig.codec, audio: audioConfig.codec };
        const frames = some.map((one): MediaFrame => ({ ...one, codec: codecs[one.kind] }));
        const mpegts = new MpegTsMuxer();
        expectCivil(() => mpegts.setConfig(videoConfig));
        expectCivil(() => mpegts.setConfig(audioConfig));
        mpegts.tables();
        for (const one of frames) expectCivil(() => mpegts.frame(one));
        expectCivil(() => {
          const fmp4 = new Fmp4Muxer({ video: videoConfig, audio: audioConfig });
          fmp4.initSegment();
          fmp4.fragments(frames);
          fmp4.fragments(frames, { videoDtsMs: 5, audioDtsMs: 2 ** 40 });
        });
      }),
      { numRuns: 2000 },
    );
  });
});
