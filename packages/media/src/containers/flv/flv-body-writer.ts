import type { AudioCodec, MediaFrame, TrackConfig, VideoCodec } from '../../frame.ts';
import { Amf0EcmaArray, type Amf0Value, encodeAmf0 } from '../../protocols/rtmp/amf0.ts';
import { audioFourCc, hasCompositionTime, videoFourCc } from './flv-codec.ts';

const keyframe = 1 << 4;
const interframe = 2 << 4;
const enhancedVideo = 0x80;
const enhancedAudio = 0x90;
const legacyAvc = 7;
/** AAC always says 44 kHz stereo (FLV 10.1, E.4.2.1); for MP3 players read the frame's own header. */
const legacyAac = 0xaf;
const legacyMp3 = 0x2f;

/** The time of a frame in FLV and RTMP, to which `writeFlvBody` relates its composition time. */
export function flvTimestamp(frame: MediaFrame): number {
  return Math.round(frame.dtsMs) >>> 0;
}

/** The bytes before the payload. With them a message can be written without joining the two first. */
export function writeFlvBodyHeader(frame: MediaFrame): Buffer {
  if (frame.codec === 'aac') return Buffer.from([legacyAac, 1]);
  if (frame.codec === 'mp3') return Buffer.from([legacyMp3]);
  if (frame.codec === 'opus') return enhancedHeader(enhancedAudio | 1, audioFourCc.opus);
  const frameType = frame.isKeyframe ? keyframe : interframe;
  const offsetMs = Math.round(frame.ptsMs) - Math.round(frame.dtsMs);
  if (frame.codec === 'h264') return withOffset(Buffer.from([frameType | legacyAvc, 1]), offsetMs);
  const fourCc = videoFourCc[frame.codec];
  // CodedFramesX saves the composition time where there is none.
  if (!hasCompositionTime(frame.codec)) return enhancedHeader(enhancedVideo | frameType | 1, fourCc);
  if (offsetMs === 0) return enhancedHeader(enhancedVideo | frameType | 3, fourCc);
  return withOffset(enhancedHeader(enhancedVideo | frameType | 1, fourCc), offsetMs);
}

/** Legacy form for H.264, AAC and MP3, which every player knows; enhanced RTMP for the rest. */
export function writeFlvBody(frame: MediaFrame): Buffer {
  return Buffer.concat([writeFlvBodyHeader(frame), frame.payload]);
}

/** The sequence header. Empty for mp3, which has none: nothing is to be sent then. */
export function writeFlvConfig(config: TrackConfig): Buffer {
  const header = configHeader(config.codec);
  return header.length === 0 ? header : Buffer.concat([header, config.record]);
}

function configHeader(codec: VideoCodec | AudioCodec): Buffer {
  if (codec === 'h264') return Buffer.from([keyframe | legacyAvc, 0, 0, 0, 0]);
  if (codec === 'aac') return Buffer.from([legacyAac, 0]);
  if (codec === 'mp3') return Buffer.alloc(0);
  if (codec === 'opus') return enhancedHeader(enhancedAudio, audioFourCc.opus);
  return enhancedHeader(enhancedVideo | keyframe, videoFourCc[codec]);
}

/** A script body: `onMetaData` and an ECMA array. Values that AMF0 has no form for are left out. */
export function writeFlvMetadata(values: Readonly<Record<string, unknown>>): Buffer {
  const usable: Record<string, Amf0Value> = Object.create(null);
  for (const [key, value] of Object.entries(values)) {
    if (isAmf0Value(value)) usable[key] = value;
  }
  return encodeAmf0(['onMetaData', new Amf0EcmaArray(usable)]);
}

function isAmf0Value(value: unknown): value is Amf0Value {
  if (value === null || value instanceof Date || value instanceof Amf0EcmaArray) return true;
  if (Array.isArray(value)) return value.every(isAmf0Value);
  if (typeof value === 'object') return Object.values(value).every(isAmf0Value);
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string';
}

function enhancedHeader(first: number, fourCc: string): Buffer {
  const header = Buffer.alloc(5);
  header[0] = first;
  header.write(fourCc, 1, 'latin1');
  return header;
}

function withOffset(header: Buffer, offsetMs: number): Buffer {
  const bytes = Buffer.alloc(header.length + 3);
  header.copy(bytes);
  // 24 bits hold 2.3 hours; a stream that claims more is clamped rather than refused.
  bytes.writeIntBE(Math.max(-0x800000, Math.min(0x7fffff, offsetMs)), header.length, 3);
  return bytes;
}
