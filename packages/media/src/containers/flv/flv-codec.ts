import { parseAudioSpecificConfig } from '../../codecs/aac.ts';
import { readAv1Sequence, toAv1Config } from '../../codecs/av1.ts';
import { parseAvcRecord } from '../../codecs/h264.ts';
import { parseHevcRecord } from '../../codecs/h265.ts';
import { parseOpusHead } from '../../codecs/opus.ts';
import { toVp9Record } from '../../codecs/vp9.ts';
import type { AudioCodec, AudioConfig, VideoCodec, VideoConfig } from '../../frame.ts';

/** Codec ids of FLV tags and of the RTMP messages that carry the same bodies. */
export const flvKind = { audio: 8, video: 9, script: 18 } as const;
export type FlvKind = 8 | 9 | 18;

export const videoFourCc: Readonly<Record<VideoCodec, string>> = {
  h264: 'avc1',
  h265: 'hvc1',
  av1: 'av01',
  vp9: 'vp09',
};
export const audioFourCc: Readonly<Record<AudioCodec, string>> = { aac: 'mp4a', mp3: '.mp3', opus: 'Opus' };

const videoCodecs = new Map<string, VideoCodec>([
  ['avc1', 'h264'],
  ['hvc1', 'h265'],
  ['av01', 'av1'],
  ['vp09', 'vp9'],
]);
const audioCodecs = new Map<string, AudioCodec>([
  ['mp4a', 'aac'],
  ['.mp3', 'mp3'],
  ['Opus', 'opus'],
]);

export function toVideoCodec(fourCc: string): VideoCodec | undefined {
  return videoCodecs.get(fourCc);
}

export function toAudioCodec(fourCc: string): AudioCodec | undefined {
  return audioCodecs.get(fourCc);
}

/** The CodedFrames packets of these codecs have a composition time; the others never reorder. */
export function hasCompositionTime(codec: VideoCodec): boolean {
  return codec === 'h264' || codec === 'h265';
}

const unknownVideo = { kind: 'video', width: 0, height: 0, profile: '', level: '', fps: 0 } as const;

export function toVideoConfig(codec: VideoCodec, record: Buffer): VideoConfig {
  if (codec === 'h264') return { kind: 'video', codec, record, ...parseAvcRecord(record) };
  if (codec === 'h265') return { kind: 'video', codec, record, ...parseHevcRecord(record) };
  if (codec === 'av1') return { ...unknownVideo, codec, ...av1Facts(record), record };
  // The size is in the keyframes.
  return { ...unknownVideo, codec, record: toVp9Record(record) };
}

/**
 * Undefined if the record lacks the sequence header or has one in a form we do not read; the stream plays all the same.
 */
function av1Facts(record: Buffer): Partial<VideoConfig> {
  try {
    const [sequence] = readAv1Sequence(record);
    return sequence ? toAv1Config(sequence) : {};
  } catch {
    return {};
  }
}

export function toAudioConfig(codec: 'aac' | 'opus', record: Buffer): AudioConfig {
  if (codec === 'aac') {
    const { sampleRate, channels, profile } = parseAudioSpecificConfig(record);
    return { kind: 'audio', codec, record, sampleRate, channels, profile };
  }
  const { sampleRate, channels } = parseOpusHead(record);
  return { kind: 'audio', codec, record, sampleRate, channels, profile: '' };
}
