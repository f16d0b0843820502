import { packetBytes, pmtPid, tsSyncByte } from './mpegts-constants.ts';

/** Elementary stream entry of the PMT. */
export interface PmtStream {
  readonly pid: number;
  readonly streamType: number;
  readonly descriptors: Buffer;
}

const crcTable = new Uint32Array(256);
for (let index = 0; index < 256; index++) {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit++) value = (value & 0x80000000) !== 0 ? (value << 1) ^ 0x04c11db7 : value << 1;
  crcTable[index] = value >>> 0;
}

/** The CRC of PSI sections (ISO 13818-1 annex A): most significant bit first, nothing inverted at the end. */
export function crc32Mpeg(bytes: Buffer, start: number, end: number): number {
  let crc = 0xffffffff;
  for (let at = start; at < end; at++) crc = (crc << 8) ^ (crcTable[(crc >>> 24) ^ (bytes[at] ?? 0)] ?? 0);
  return crc >>> 0;
}

/** Program association section: program 1 is at the PMT's PID (ISO 13818-1, 2.4.4.3). */
export function patSection(version: number): Buffer {
  const body = Buffer.alloc(4);
  body.writeUInt16BE(1, 0);
  body.writeUInt16BE(0xe000 | pmtPid, 2);
  return section(0x00, version, body);
}

/** Program map section (ISO 13818-1, 2.4.4.8). */
export function pmtSection(version: number, pcrPid: number, streams: readonly PmtStream[]): Buffer {
  const parts: Buffer[] = [Buffer.from([0xe0 | (pcrPid >> 8), pcrPid & 0xff, 0xf0, 0])];
  for (const { pid, streamType, descriptors } of streams) {
    const length = descriptors.length;
    parts.push(Buffer.from([streamType, 0xe0 | (pid >> 8), pid & 0xff, 0xf0 | (length >> 8), length & 0xff]));
    parts.push(descriptors);
  }
  return section(0x02, version, Buffer.concat(parts));
}

/** Writes one section that fits a single packet at `at`, and fills the packet up. */
export function writePsiPacket(out: Buffer, at: number, pid: number, counter: number, bytes: Buffer): void {
  out[at] = tsSyncByte;
  out[at + 1] = 0x40 | (pid >> 8);
  out[at + 2] = pid & 0xff;
  out[at + 3] = 0x10 | counter;
  out[at + 4] = 0; // pointer_field: the section begins at once
  bytes.copy(out, at + 5);
  out.fill(0xff, at + 5 + bytes.length, at + packetBytes);
}

/**
 * The frame around every section:
 *
 *     table:8  1 0 11 length:12  id:16  11 version:5 current:1  section:8  last:8  body…  crc:32
 */
function section(tableId: number, version: number, body: Buffer): Buffer {
  const out = Buffer.alloc(8 + body.length + 4);
  out[0] = tableId;
  out.writeUInt16BE(0xb000 | (out.length - 3), 1);
  out.writeUInt16BE(1, 3);
  out[5] = 0xc1 | (version << 1);
  body.copy(out, 8);
  out.writeUInt32BE(crc32Mpeg(out, 0, out.length - 4), out.length - 4);
  return out;
}
