import { MalformedMedia, type VideoConfig } from '../frame.ts';
import { BitReader } from './bit-reader.ts';

export const sequenceHeader = 1;
export const mostObus = 1024;

export function obuType(obu: Buffer): number {
  return ((obu[0] ?? 0) >> 3) & 0x0f;
}

/** A number of 7 bits per octet, lowest first (AV1, 4.10.5); undefined when it is cut off or too large. */
export function readLeb128(bytes: Buffer, at: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let index = 0; index < 4; index++) {
    const octet = bytes[at + index];
    if (octet === undefined) return undefined;
    value |= (octet & 0x7f) << (index * 7);
    if ((octet & 0x80) === 0) return { value, end: at + index + 1 };
  }
  return undefined;
}

export function leb128(value: number): Buffer {
  const octets: number[] = [];
  let rest = value;
  do {
    octets.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    rest >>>= 7;
  } while (rest > 0);
  return Buffer.from(octets);
}

/** Units of a temporal unit as files carry it, each without its size field. */
export function splitObus(unit: Buffer): Buffer[] {
  const obus: Buffer[] = [];
  for (let at = 0; at < unit.length && obus.length < mostObus; ) {
    const header = unit.readUInt8(at);
    const headerBytes = (header & 0x04) !== 0 ? 2 : 1;
    const hasSize = (header & 0x02) !== 0;
    const size = hasSize
      ? readLeb128(unit, at + headerBytes)
      : { value: unit.length - at - headerBytes, end: at + headerBytes };
    if (!size || size.value < 0 || size.end + size.value > unit.length) throw new MalformedMedia('AV1 unit is cut off');
    const head = Buffer.from(unit.subarray(at, at + headerBytes));
    head[0] = header & ~0x02;
    obus.push(Buffer.concat([head, unit.subarray(size.end, size.end + size.value)]));
    at = size.end + size.value;
  }
  return obus;
}

/** The reverse: every unit with its size. */
export function joinObus(obus: readonly Buffer[]): Buffer {
  return Buffer.concat(
    obus.flatMap((obu) => {
      const headerBytes = ((obu[0] ?? 0) & 0x04) !== 0 ? 2 : 1;
      const head = Buffer.from(obu.subarray(0, headerBytes));
      head[0] = (head[0] ?? 0) | 0x02;
      return [head, leb128(Math.max(0, obu.length - headerBytes)), obu.subarray(headerBytes)];
    }),
  );
}

/** An av1C out of a sequence header (AV1, 5.5.1), for the main profile with 8 bits, the only one that is negotiated. */
export function toAv1Config(obu: Buffer): VideoConfig {
  const reader = new BitReader(obu.subarray(((obu[0] ?? 0) & 0x04) !== 0 ? 2 : 1));
  const profile = reader.bits(3);
  reader.skip(1);
  const isReduced = reader.flag();
  let level = 0;
  let tier = 0;
  if (isReduced) level = reader.bits(5);
  else {
    if (reader.flag()) throw new MalformedMedia('AV1 with timing information is not supported');
    const hasDelay = reader.flag();
    for (let points = reader.bits(5); points >= 0; points--) {
      reader.skip(12);
      level = reader.bits(5);
      tier = level > 7 ? reader.bits(1) : 0;
      if (hasDelay && reader.flag()) reader.skip(4);
    }
  }
  const [widthBits, heightBits] = [reader.bits(4) + 1, reader.bits(4) + 1];
  const [width, height] = [reader.bits(widthBits) + 1, reader.bits(heightBits) + 1];
  const record = Buffer.concat([Buffer.from([0x81, (profile << 5) | level, (tier << 7) | 0x0c, 0]), joinObus([obu])]);
  return {
    kind: 'video',
    codec: 'av1',
    record,
    width,
    height,
    profile: profile === 0 ? 'Main' : '',
    level: '',
    fps: 0,
  };
}

/** The sequence header that a config carries behind its four octets; a keyframe of a file may come without. */
export function readAv1Sequence(record: Buffer): readonly Buffer[] {
  return record.length > 4 ? splitObus(record.subarray(4)).filter((obu) => obuType(obu) === sequenceHeader) : [];
}
