import { type AudioCodec, type Demuxed, MalformedMedia, type VideoCodec } from '../../frame.ts';
import { decodeAmf0, encodeAmf0 } from '../../protocols/rtmp/amf0.ts';
import {
  type FlvKind,
  flvKind,
  hasCompositionTime,
  toAudioCodec,
  toAudioConfig,
  toVideoCodec,
  toVideoConfig,
} from './flv-codec.ts';

/** Enhanced RTMP v2, VideoPacketType and AudioPacketType. */
const packet = { sequenceStart: 0, codedFrames: 1, sequenceEnd: 2, codedFramesX: 3, modEx: 7 } as const;
const multitrackPacket = { video: 6, audio: 5 } as const;
const oneTrack = 0;
const manyTracksManyCodecs = 2;
const soundFormat = { mp3: 2, enhanced: 9, aac: 10, mp3At8kHz: 14 } as const;
const commandFrame = 5;
const metadataName = encodeAmf0(['onMetaData']);
/** Files carry an index of their keyframes here, two numbers for each. */
const maxMetadataValues = 50_000;

/** Limit of entries in a message. Track ids have 8 bits, so a longer list can only be an attack. */
const mostEntries = 256;

/** Content of a message for one of several tracks. Track 0 is the default. */
interface TrackItem {
  readonly track: number;
  readonly item: Demuxed;
}

/**
 * Parses the body of an FLV tag or RTMP media message of one track. Undefined for bodies without media (end of sequence, colour
 * metadata) and for unsupported codecs. Stateless: `FlvBodyReader` brings frames to the canonical form.
 */
export function readFlvBody(kind: FlvKind, timestampMs: number, body: Buffer): Demuxed | undefined {
  if (body.length === 0) return undefined;
  if (kind === 9) return readVideo(timestampMs, body);
  return kind === 8 ? readAudio(timestampMs, body) : readScript(body);
}

/** Parses a message that names its tracks; undefined for one of a single track, which `readFlvBody` reads. */
export function readFlvTracks(kind: FlvKind, timestampMs: number, body: Buffer): readonly TrackItem[] | undefined {
  const first = body[0] ?? 0;
  const isVideo = kind === flvKind.video;
  const isEnhanced = isVideo ? (first & 0x80) !== 0 : kind === flvKind.audio && first >> 4 === soundFormat.enhanced;
  if (!isEnhanced || (isVideo && frameTypeOf(first) === commandFrame)) return undefined;
  const { packetType, at } = skipModifiers(body);
  if (packetType !== (isVideo ? multitrackPacket.video : multitrackPacket.audio)) return undefined;
  const isKeyframe = isVideo && isKeyframeType(frameTypeOf(first));
  const items: TrackItem[] = [];
  for (const { packetType, fourCc, track, data } of entriesOf(atLeast(body, at + 1), at)) {
    const item = isVideo
      ? readCodedVideo({ packetType, fourCc, data, isKeyframe }, timestampMs)
      : readCodedAudio({ packetType, fourCc, data }, timestampMs);
    if (item) items.push({ track, item });
  }
  return items;
}

/** Part of a message that belongs to one track: what follows its FourCC. */
interface CodedPart {
  readonly packetType: number;
  readonly fourCc: string;
  readonly data: Buffer;
}

//  multitrackType 4 | packetType 4 | FourCC 32 unless each has its own | ( FourCC 32 | trackId 8 | size 24 unless it is the only one | data )
function* entriesOf(body: Buffer, from: number): Generator<CodedPart & { readonly track: number }> {
  const form = body.readUInt8(from) >> 4;
  const packetType = body.readUInt8(from) & 15;
  // Reserved for forms that are not invented yet.
  if (form > manyTracksManyCodecs) return;
  const isShared = form !== manyTracksManyCodecs;
  let at = from + 1;
  let fourCc = isShared ? fourCcAt(body, at) : '';
  if (isShared) at += 4;
  let count = 0;
  do {
    if (++count > mostEntries) throw new MalformedMedia('FLV body has too many tracks');
    if (!isShared) {
      fourCc = fourCcAt(body, at);
      at += 4;
    }
    const track = atLeast(body, at + 1).readUInt8(at);
    at += 1;
    const size = form === oneTrack ? body.length - at : atLeast(body, at + 3).readUIntBE(at, 3);
    if (form !== oneTrack) at += 3;
    const data = atLeast(body, at + size).subarray(at, at + size);
    yield { packetType, fourCc, track, data };
    at += size;
  } while (at < body.length);
}

const frameTypeOf = (first: number): number => (first >> 4) & 7;
/** A generated keyframe (4) is one that a server made; decoders start there all the same. */
const isKeyframeType = (frameType: number): boolean => frameType === 1 || frameType === 4;

//  legacy:    frameType 4 | codec 4 | packetType 8 | compositionTime 24 | data
//  enhanced:  1 | frameType 3 | packetType 4 | FourCC 32 | compositionTime 24 for some | data
function readVideo(timestampMs: number, body: Buffer): Demuxed | undefined {
  const first = body.readUInt8(0);
  const frameType = frameTypeOf(first);
  if (frameType === commandFrame) return undefined;
  const isKeyframe = isKeyframeType(frameType);
  if ((first & 0x80) !== 0) return readEnhancedVideo(timestampMs, body, isKeyframe);
  const codec = legacyVideoCodec(first & 15);
  if (codec === undefined) return undefined;
  const packetType = atLeast(body, 2).readUInt8(1);
  if (packetType === 0) return videoConfig(codec, atLeast(body, 5).subarray(5));
  if (packetType !== 1) return undefined;
  const offsetMs = atLeast(body, 5).readIntBE(2, 3);
  return videoFrame(codec, timestampMs, offsetMs, isKeyframe, body.subarray(5));
}

function legacyVideoCodec(id: number): VideoCodec | undefined {
  // 12 is no standard, but what Chinese encoders and CDNs agreed on for H.265 before enhanced RTMP.
  return id === 7 ? 'h264' : id === 12 ? 'h265' : undefined;
}

function readEnhancedVideo(timestampMs: number, body: Buffer, isKeyframe: boolean): Demuxed | undefined {
  const { packetType, at } = skipModifiers(body);
  const fourCc = fourCcAt(body, at);
  return readCodedVideo({ packetType, fourCc, data: body.subarray(at + 4), isKeyframe }, timestampMs);
}

function readCodedVideo(part: CodedPart & { readonly isKeyframe: boolean }, timestampMs: number): Demuxed | undefined {
  const { packetType, fourCc, data, isKeyframe } = part;
  const codec = toVideoCodec(fourCc);
  if (codec === undefined) return undefined;
  if (packetType === packet.sequenceStart) return videoConfig(codec, data);
  if (packetType === packet.codedFrames && hasCompositionTime(codec)) {
    const offsetMs = atLeast(data, 3).readIntBE(0, 3);
    return videoFrame(codec, timestampMs, offsetMs, isKeyframe, data.subarray(3));
  }
  if (packetType !== packet.codedFrames && packetType !== packet.codedFramesX) return undefined;
  return videoFrame(codec, timestampMs, 0, isKeyframe, data);
}

function videoConfig(codec: VideoCodec, record: Buffer): Demuxed | undefined {
  // An empty record is sent by some encoders before the real one.
  if (record.length === 0) return undefined;
  return { type: 'config', config: toVideoConfig(codec, record) };
}

function videoFrame(
  codec: VideoCodec,
  dtsMs: number,
  offsetMs: number,
  isKeyframe: boolean,
  payload: Buffer,
): Demuxed | undefined {
  if (payload.length === 0) return undefined;
  return { type: 'frame', frame: { kind: 'video', codec, dtsMs, ptsMs: dtsMs + offsetMs, isKeyframe, payload } };
}

//  legacy:    format 4 | rate 2 | size 1 | channels 1 | AAC: packetType 8 | data
//  enhanced:  9 | packetType 4 | FourCC 32 | data
function readAudio(timestampMs: number, body: Buffer): Demuxed | undefined {
  const format = body.readUInt8(0) >> 4;
  if (format === soundFormat.enhanced) return readEnhancedAudio(timestampMs, body);
  if (format === soundFormat.mp3 || format === soundFormat.mp3At8kHz) {
    return audioFrame('mp3', timestampMs, body.subarray(1));
  }
  if (format !== soundFormat.aac || body.length < 3) return undefined;
  const isConfig = body[1] === 0;
  if (isConfig) return { type: 'config', config: toAudioConfig('aac', body.subarray(2)) };
  return body[1] === 1 ? audioFrame('aac', timestampMs, body.subarray(2)) : undefined;
}

function readEnhancedAudio(timestampMs: number, body: Buffer): Demuxed | undefined {
  const { packetType, at } = skipModifiers(body);
  return readCodedAudio({ packetType, fourCc: fourCcAt(body, at), data: body.subarray(at + 4) }, timestampMs);
}

function readCodedAudio({ packetType, fourCc, data }: CodedPart, timestampMs: number): Demuxed | undefined {
  const codec = toAudioCodec(fourCc);
  if (codec === undefined) return undefined;
  if (packetType === packet.codedFrames) return audioFrame(codec, timestampMs, data);
  if (packetType !== packet.sequenceStart || codec === 'mp3' || data.length === 0) return undefined;
  return { type: 'config', config: toAudioConfig(codec, data) };
}

function audioFrame(codec: AudioCodec, dtsMs: number, payload: Buffer): Demuxed | undefined {
  if (payload.length === 0) return undefined;
  return { type: 'frame', frame: { kind: 'audio', codec, dtsMs, ptsMs: dtsMs, isKeyframe: true, payload } };
}

/** Enhanced RTMP v2 puts modifiers (size, data, kind 4, next packetType 4) before the FourCC; none matters to us. */
function skipModifiers(body: Buffer): { readonly packetType: number; readonly at: number } {
  let packetType = body.readUInt8(0) & 15;
  let at = 1;
  while (packetType === packet.modEx) {
    let size = atLeast(body, at + 1).readUInt8(at) + 1;
    at += 1;
    if (size === 256) {
      size = atLeast(body, at + 2).readUInt16BE(at) + 1;
      at += 2;
    }
    at += size;
    packetType = atLeast(body, at + 1).readUInt8(at) & 15;
    at += 1;
  }
  return { packetType, at };
}

function fourCcAt(body: Buffer, at: number): string {
  return atLeast(body, at + 4).toString('latin1', at, at + 4);
}

function atLeast(body: Buffer, length: number): Buffer {
  if (body.length < length) throw new MalformedMedia('FLV body is cut off');
  return body;
}

function readScript(body: Buffer): Demuxed | undefined {
  // Other scripts (captions, cue points) are not read at all, so what is wrong with them does no harm.
  if (body.length < metadataName.length || body.compare(metadataName, 0, metadataName.length, 0, metadataName.length)) {
    return undefined;
  }
  const [values] = decodeAmf0(body.subarray(metadataName.length), { maxValues: maxMetadataValues });
  if (typeof values !== 'object' || values === null || Array.isArray(values) || values instanceof Date)
    return undefined;
  return { type: 'metadata', values: { ...values } };
}
