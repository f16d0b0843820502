import { parseAudioSpecificConfig } from './codecs/aac.ts';
import { avcParameterSets } from './codecs/h264.ts';
import { hevcParameterSets } from './codecs/h265.ts';
import { type AudioConfig, MalformedMedia, type TrackConfig, type VideoConfig } from './frame.ts';

/**
 * True if a decoder that was set up with one config can continue with the other. The bytes of one encoder differ
 * between RTMP and SRT: records have extensions or not, or are built from parameter sets in the stream.
 */
export function isSameDecoder(a: TrackConfig, b: TrackConfig): boolean {
  if (a.codec !== b.codec) return false;
  if (a.record.equals(b.record)) return a.kind === 'video' ? isSameSize(a, b) : isSameAudio(a, b);
  try {
    if (a.codec === 'h264') return isSameSets(avcSets(a.record), avcSets(b.record));
    if (a.codec === 'h265') return isSameSets(hevcSets(a.record), hevcSets(b.record));
    if (a.codec !== 'aac') return false;
    const [one, other] = [parseAudioSpecificConfig(a.record), parseAudioSpecificConfig(b.record)];
    return (
      one.objectType === other.objectType &&
      one.coreSampleRate === other.coreSampleRate &&
      one.sampleRate === other.sampleRate &&
      one.channels === other.channels &&
      one.frameSamples === other.frameSamples
    );
  } catch (error) {
    if (error instanceof MalformedMedia) return false;
    throw error;
  }
}

/** VP9's record does not hold the size. */
function isSameSize(a: VideoConfig, b: TrackConfig): boolean {
  return b.kind === 'video' && a.width === b.width && a.height === b.height;
}

/** MP3 has no record; its rate and channels are in the config alone. */
function isSameAudio(a: AudioConfig, b: TrackConfig): boolean {
  return b.kind === 'audio' && a.sampleRate === b.sampleRate && a.channels === b.channels;
}

function avcSets(record: Buffer): readonly Buffer[] {
  const { sps, pps } = avcParameterSets(record);
  return [...sps, ...pps];
}

function hevcSets(record: Buffer): readonly Buffer[] {
  const { vps, sps, pps } = hevcParameterSets(record);
  return [...vps, ...sps, ...pps];
}

/** True for the same parameter sets in the same order. */
export function isSameSets(a: readonly Buffer[], b: readonly Buffer[]): boolean {
  return (
    a.length > 0 && a.length === b.length && a.every((set, index) => trimmed(set).equals(trimmed(b[index] ?? set)))
  );
}

/** Removes zero bytes after a NAL unit, which mean nothing and which one encoder sends or not. */
function trimmed(set: Buffer): Buffer {
  let end = set.length;
  while (end > 0 && set[end - 1] === 0) end -= 1;
  return set.subarray(0, end);
}
