import { parseAudioSpecificConfig } from '../../codecs/aac.ts';
import { adtsHeaderBytes, writeAdtsFacts } from '../../codecs/adts.ts';
import { avcParameterSets } from '../../codecs/h264.ts';
import { hevcParameterSets } from '../../codecs/h265.ts';
import { toAnnexB } from '../../codecs/nal.ts';
import type { AudioCodec, AudioConfig, TrackConfig, VideoCodec, VideoConfig } from '../../frame.ts';
import { audioPid, streamTypes, videoPid } from './mpegts-constants.ts';
import type { PmtStream } from './psi.ts';

/** State of an elementary stream while it is written. */
export interface TsTrack extends PmtStream {
  readonly codec: VideoCodec | AudioCodec;
  readonly streamId: number;
  /** Bytes before each frame: an access unit delimiter, or an ADTS header whose length is filled in per frame. */
  readonly prefix: Buffer;
  /** Bytes before a keyframe: the delimiter and the parameter sets, so that a player can join there. */
  readonly keyframePrefix: Buffer;
  /** Continuity counter of the next packet, 4 bits. */
  continuity: number;
}

// Delimiters say that any slice type may follow, which is always true.
const h264Delimiter = Buffer.from([0, 0, 0, 1, 0x09, 0xf0]);
const h265Delimiter = Buffer.from([0, 0, 0, 1, 0x46, 0x01, 0x50]);
const none = Buffer.alloc(0);

/** Opus in MPEG-TS: control_header_prefix and flags; the packet's size follows. */
const opusControlPrefix = Buffer.from([0x7f, 0xe0]);

/** True if MPEG-TS can carry this codec. */
export function mpegTsCarries(codec: VideoCodec | AudioCodec): boolean {
  return codec !== 'av1' && codec !== 'vp9';
}

export function toTsTrack(config: TrackConfig, continuity: number): TsTrack {
  return config.kind === 'video' ? videoTrack(config, continuity) : audioTrack(config, continuity);
}

function videoTrack(config: VideoConfig, continuity: number): TsTrack {
  const isH265 = config.codec === 'h265';
  const prefix = isH265 ? h265Delimiter : h264Delimiter;
  return {
    codec: config.codec,
    pid: videoPid,
    streamId: 0xe0,
    streamType: isH265 ? streamTypes.h265 : streamTypes.h264,
    descriptors: isH265 ? registration('HEVC') : none,
    prefix,
    keyframePrefix: Buffer.concat([prefix, toAnnexB(none, parameterSetsOf(config))]),
    continuity,
  };
}

function parameterSetsOf({ codec, record }: VideoConfig): Buffer[] {
  if (codec === 'h265') {
    const { vps, sps, pps } = hevcParameterSets(record);
    return [...vps, ...sps, ...pps];
  }
  const { sps, pps } = avcParameterSets(record);
  return [...sps, ...pps];
}

function audioTrack(config: AudioConfig, continuity: number): TsTrack {
  const common = { codec: config.codec, pid: audioPid, keyframePrefix: none, continuity };
  if (config.codec === 'aac') {
    const prefix = writeAdtsFacts(Buffer.alloc(adtsHeaderBytes), parseAudioSpecificConfig(config.record));
    return { ...common, streamId: 0xc0, streamType: streamTypes.aac, descriptors: none, prefix };
  }
  if (config.codec === 'opus') {
    // DVB extension descriptor 0x80 holds channel_config_code, which for 1 to 8 channels is their number.
    const descriptors = Buffer.concat([registration('Opus'), Buffer.from([0x7f, 2, 0x80, config.channels & 0xff])]);
    return {
      ...common,
      streamId: 0xbd,
      streamType: streamTypes.privateData,
      descriptors,
      prefix: opusControlPrefix,
    };
  }
  // Sample rates below 32 kHz exist only in MPEG-2 audio.
  const streamType = config.sampleRate < 32_000 ? streamTypes.mpeg2Audio : streamTypes.mpeg1Audio;
  return { ...common, streamId: 0xc0, streamType, descriptors: none, prefix: none };
}

/** registration_descriptor (ISO 13818-1, 2.6.8). */
function registration(format: string): Buffer {
  return Buffer.from(`\x05\x04${format}`, 'latin1');
}
