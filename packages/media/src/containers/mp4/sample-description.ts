import { parseAudioSpecificConfig } from '../../codecs/aac.ts';
import { avcParameterSets, parseAvcRecord } from '../../codecs/h264.ts';
import { parseHevcRecord } from '../../codecs/h265.ts';
import { opusSampleRate, parseOpusHead } from '../../codecs/opus.ts';
import { MalformedMedia, type TrackConfig } from '../../frame.ts';
import { type Mp4Box, readBoxes, within } from './box-reader.ts';

const visualEntryBytes = 78;
const audioEntryBytes = 28;

/** Reads the decoder config of a track; undefined for unsupported codecs. The reverse of `sample-entry.ts`. */
export function readSampleDescription(stsd: Buffer): TrackConfig | undefined {
  const [entry] = readBoxes(stsd.subarray(8));
  if (!entry) throw new MalformedMedia('stsd is empty');
  if (entry.type === 'avc1' || entry.type === 'avc3') return avcConfig(entry);
  if (entry.type === 'hvc1' || entry.type === 'hev1') return hevcConfig(entry);
  if (entry.type === 'av01') return plainVideo(entry, 'av1', 'av1C');
  if (entry.type === 'vp09') return plainVideo(entry, 'vp9', 'vpcC');
  if (entry.type === 'Opus') return opusConfig(entry);
  return entry.type === 'mp4a' ? audioConfig(entry) : undefined;
}

function avcConfig({ content }: Mp4Box): TrackConfig | undefined {
  const record = within(content.subarray(visualEntryBytes), 'avcC');
  if (!record) throw new MalformedMedia('no avcC');
  if (avcParameterSets(record).nalLengthSize !== 4) return undefined;
  return { kind: 'video', codec: 'h264', record, ...parseAvcRecord(record) };
}

function hevcConfig({ content }: Mp4Box): TrackConfig | undefined {
  const record = within(content.subarray(visualEntryBytes), 'hvcC');
  if (!record) throw new MalformedMedia('no hvcC');
  // lengthSizeMinusOne (ISO 14496-15, 8.3.3.1.2).
  if (((record[21] ?? 0) & 3) !== 3) return undefined;
  return { kind: 'video', codec: 'h265', record, ...parseHevcRecord(record) };
}

/** VisualSampleEntry: width and height follow 24 octets (ISO 14496-12, 12.1.3). */
function plainVideo({ content }: Mp4Box, codec: 'av1' | 'vp9', box: string): TrackConfig {
  const record = within(content.subarray(visualEntryBytes), box);
  if (!record) throw new MalformedMedia(`no ${box}`);
  const size = { width: content.readUInt16BE(24), height: content.readUInt16BE(26) };
  return { kind: 'video', codec, record, ...size, fps: 0, profile: '', level: '' };
}

/** 'dOps' (Opus in ISOBMFF, 4.3.2) back to OpusHead. */
function opusConfig({ content }: Mp4Box): TrackConfig {
  const facts = within(content.subarray(audioEntryBytes), 'dOps');
  if (!facts || facts.length < 11) throw new MalformedMedia('no dOps');
  const head = Buffer.concat([Buffer.from('OpusHead\x01', 'latin1'), facts.subarray(1)]);
  head.writeUInt16LE(facts.readUInt16BE(2), 10);
  head.writeUInt32LE(facts.readUInt32BE(4), 12);
  head.writeInt16LE(facts.readInt16BE(8), 16);
  const { channels } = parseOpusHead(head);
  return { kind: 'audio', codec: 'opus', record: head, sampleRate: opusSampleRate, channels, profile: '' };
}

function audioConfig({ content }: Mp4Box): TrackConfig | undefined {
  const esds = within(content.subarray(audioEntryBytes), 'esds');
  if (!esds) return undefined;
  const { objectType, specific } = readDecoder(esds.subarray(4));
  if (objectType === 0x40 && specific) {
    const { sampleRate, channels, profile } = parseAudioSpecificConfig(specific);
    return { kind: 'audio', codec: 'aac', record: specific, sampleRate, channels, profile };
  }
  if (objectType !== 0x69 && objectType !== 0x6b) return undefined;
  const facts = { sampleRate: content.readUInt16BE(24), channels: content.readUInt16BE(16), profile: '' };
  return { kind: 'audio', codec: 'mp3', record: Buffer.alloc(0), ...facts };
}

/** ES_Descriptor → DecoderConfigDescriptor → DecoderSpecificInfo (ISO 14496-1, 7.2.6). */
function readDecoder(bytes: Buffer): { objectType: number; specific: Buffer | undefined } {
  const stream = descriptorOf(bytes, 0x03);
  if (!stream || stream.length < 3) throw new MalformedMedia('esds is cut off');
  const flags = stream.readUInt8(2);
  let at = 3 + (flags & 0x80 ? 2 : 0);
  if (flags & 0x40) at += 1 + (stream[at] ?? 0);
  if (flags & 0x20) at += 2;
  const decoder = descriptorOf(stream.subarray(at), 0x04);
  if (!decoder || decoder.length < 13) throw new MalformedMedia('esds is cut off');
  return { objectType: decoder.readUInt8(0), specific: descriptorOf(decoder.subarray(13), 0x05) };
}

/** The first descriptor, if it has this tag. Its length is in groups of 7 bits. */
function descriptorOf(bytes: Buffer, tag: number): Buffer | undefined {
  if (bytes[0] !== tag) return undefined;
  let at = 1;
  let length = 0;
  for (let group = 0; group < 4; group++) {
    const byte = bytes[at++] ?? 0;
    length = (length << 7) | (byte & 0x7f);
    if ((byte & 0x80) === 0) break;
  }
  if (at + length > bytes.length) throw new MalformedMedia('descriptor is cut off');
  return bytes.subarray(at, at + length);
}
