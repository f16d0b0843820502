import { streamTypes } from './mpegts-constants.ts';
import { crc32Mpeg } from './psi.ts';

/** Elementary stream of the PMT that we can read. */
export interface FoundStream {
  readonly pid: number;
  readonly codec: 'h264' | 'h265' | 'aac' | 'mp3' | 'opus';
  /** Only Opus tells it here; 0 otherwise. */
  readonly channels: number;
  /** Three letters (ISO 639-2); empty where the table does not tell. */
  readonly language: string;
}

/** section_length is 12 bits. */
const maxSectionBytes = 4096 + 3;

/** Puts the sections of one PID together. A packet that begins a section ends whatever was unfinished. */
export class SectionAssembler {
  #section = Buffer.allocUnsafe(maxSectionBytes);
  #length = 0;

  /** A whole section with a good checksum, or undefined. */
  push(payload: Buffer, isStart: boolean): Buffer | undefined {
    let from = 0;
    if (isStart) {
      from = 1 + (payload[0] ?? 0);
      this.#length = 0;
    } else if (this.#length === 0) {
      return undefined;
    }
    if (from >= payload.length) return undefined;
    this.#length += payload.copy(this.#section, this.#length, from);
    if (this.#length < 3) return undefined;
    const size = 3 + (this.#section.readUInt16BE(1) & 0xfff);
    if (this.#length < size) return undefined;
    this.#length = 0;
    // The checksum of a section with its own checksum is zero.
    return size >= 12 && crc32Mpeg(this.#section, 0, size) === 0 ? this.#section.subarray(0, size) : undefined;
  }
}

/** The PID of the first program's map, or undefined. Program 0 is the network's own table. */
export function readPat(section: Buffer): number | undefined {
  if (section[0] !== 0x00) return undefined;
  for (let at = 8; at + 4 <= section.length - 4; at += 4) {
    if (section.readUInt16BE(at) !== 0) return section.readUInt16BE(at + 2) & 0x1fff;
  }
  return undefined;
}

/** The streams we can read, in the order of the table. */
export function readPmt(section: Buffer): FoundStream[] {
  const streams: FoundStream[] = [];
  if (section[0] !== 0x02 || section.length < 16) return streams;
  const end = section.length - 4;
  let at = 12 + (section.readUInt16BE(10) & 0xfff);
  while (at + 5 <= end) {
    const pid = section.readUInt16BE(at + 1) & 0x1fff;
    const next = at + 5 + (section.readUInt16BE(at + 3) & 0xfff);
    if (next > end) break;
    const descriptors = section.subarray(at + 5, next);
    const stream = streamOf(section.readUInt8(at), descriptors);
    if (stream) streams.push({ ...stream, pid, language: languageOf(descriptors) });
    at = next;
  }
  return streams;
}

/** ISO_639_language_descriptor (2.6.18). */
function languageOf(descriptors: Buffer): string {
  for (let at = 0; at + 5 <= descriptors.length; at += 2 + descriptors.readUInt8(at + 1)) {
    if (descriptors[at] !== 0x0a) continue;
    const language = descriptors.toString('latin1', at + 2, at + 5);
    return /^[A-Za-z]{3}$/.test(language) ? language : '';
  }
  return '';
}

function streamOf(type: number, descriptors: Buffer): Pick<FoundStream, 'codec' | 'channels'> | undefined {
  switch (type) {
    case streamTypes.h264:
      return { codec: 'h264', channels: 0 };
    case streamTypes.h265:
      return { codec: 'h265', channels: 0 };
    case streamTypes.aac:
      return { codec: 'aac', channels: 0 };
    case streamTypes.mpeg1Audio:
    case streamTypes.mpeg2Audio:
      return { codec: 'mp3', channels: 0 };
    case streamTypes.privateData:
      return opusOf(descriptors);
    default:
      return undefined;
  }
}

/** Private data is Opus when it is registered so; the DVB extension descriptor 0x80 tells the channels. */
function opusOf(descriptors: Buffer): Pick<FoundStream, 'codec' | 'channels'> | undefined {
  let isOpus = false;
  let channels = 2;
  for (let at = 0; at + 2 <= descriptors.length; ) {
    const body = descriptors.subarray(at + 2, at + 2 + descriptors.readUInt8(at + 1));
    if (descriptors[at] === 0x05 && body.toString('latin1', 0, 4) === 'Opus') isOpus = true;
    // channel_config_code 0 is two languages in one stereo stream.
    if (descriptors[at] === 0x7f && body[0] === 0x80) channels = body[1] || 2;
    at += 2 + descriptors.readUInt8(at + 1);
  }
  return isOpus && channels <= 8 ? { codec: 'opus', channels } : undefined;
}
