import { BitReader } from '../../codecs/bit-reader.ts';
import { maxPictureBytes } from '../../codecs/nal.ts';
import { MalformedMedia, type VideoConfig } from '../../frame.ts';
import { maxRtpPayload, mostPicturePackets, type RtpPacket, rtpHeaderBytes } from './rtp-packet.ts';
import { LastConfig, type ReceivedPicture, type VideoDepacketizer } from './video-depacketizer.ts';

const sequenceHeader = 1;
const temporalDelimiter = 2;
const tileList = 8;
const padding = 15;
const mostObus = 1024;

const obuType = (obu: Buffer) => ((obu[0] ?? 0) >> 3) & 0x0f;
const isCarried = (obu: Buffer) => ![temporalDelimiter, tileList, padding].includes(obuType(obu));

/** A number of 7 bits per octet, lowest first (AV1, 4.10.5); undefined when it is cut off or too large. */
function readLeb128(bytes: Buffer, at: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let index = 0; index < 4; index++) {
    const octet = bytes[at + index];
    if (octet === undefined) return undefined;
    value |= (octet & 0x7f) << (index * 7);
    if ((octet & 0x80) === 0) return { value, end: at + index + 1 };
  }
  return undefined;
}

function leb128(value: number): Buffer {
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

/**
 * AV1 over RTP (AOM's payload format). A payload begins with `Z:1 Y:1 W:2 N:1 -:3`: the first element continues one, the
 * last is continued, how many there are (0: each has its length in front), and a new sequence begins.
 */
export class Av1Depacketizer implements VideoDepacketizer {
  #obus: Buffer[] = [];
  #open: Buffer[] = [];
  #bytes = 0;
  #packets = 0;
  #isDamaged = true;
  #timestamp: number | undefined;
  readonly #lastConfig = new LastConfig();

  push({ payload, timestamp, isMarker }: RtpPacket): ReceivedPicture[] {
    const done: ReceivedPicture[] = [];
    if (this.#timestamp !== timestamp) this.#end(done);
    this.#timestamp = timestamp;
    this.#bytes += payload.length;
    this.#packets += 1;
    if (this.#bytes > maxPictureBytes || this.#obus.length > mostObus || this.#packets > mostPicturePackets)
      throw new MalformedMedia('picture is too large');
    if (payload.length > 1) this.#take(payload);
    if (isMarker) this.#end(done);
    return done;
  }

  lose(): void {
    this.#drop();
    this.#isDamaged = true;
  }

  #drop(): void {
    this.#obus = [];
    this.#open = [];
    this.#bytes = 0;
    this.#packets = 0;
  }

  #take(payload: Buffer): void {
    const flags = payload.readUInt8(0);
    const count = (flags >> 4) & 3;
    const elements: Buffer[] = [];
    for (let at = 1; at < payload.length; ) {
      const isLast = count > 0 && elements.length === count - 1;
      const length = isLast ? { value: payload.length - at, end: at } : readLeb128(payload, at);
      if (!length || length.end + length.value > payload.length) return;
      elements.push(payload.subarray(length.end, length.end + length.value));
      at = length.end + length.value;
    }
    for (const [index, element] of elements.entries()) {
      const continues = index === 0 && (flags & 0x80) !== 0;
      const isContinued = index === elements.length - 1 && (flags & 0x40) !== 0;
      // A part whose beginning was lost.
      if (continues && this.#open.length === 0) continue;
      if (!continues) this.#open = [];
      this.#open.push(element);
      if (isContinued) continue;
      const obu = Buffer.concat(this.#open);
      this.#open = [];
      if (obu.length > 0 && isCarried(obu)) this.#obus.push(...splitObus(obu));
    }
  }

  #end(done: ReceivedPicture[]): void {
    const header = this.#obus.find((obu) => obuType(obu) === sequenceHeader);
    if (header) this.#isDamaged = false;
    if (this.#obus.length > 0 && this.#timestamp !== undefined) {
      const isKeyframe = header !== undefined && !this.#isDamaged;
      const config = header && this.#lastConfig.ifNew(av1ConfigOf(header));
      done.push({ timestamp: this.#timestamp, isKeyframe, payload: joinObus(this.#obus), config });
    }
    this.#drop();
  }
}

/** An av1C out of a sequence header (AV1, 5.5.1), for the main profile with 8 bits, the only one that is negotiated. */
export function av1ConfigOf(obu: Buffer): VideoConfig {
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
export function av1SequenceOf(record: Buffer): readonly Buffer[] {
  return record.length > 4 ? splitObus(record.subarray(4)).filter((obu) => obuType(obu) === sequenceHeader) : [];
}

/** The packets of one temporal unit. */
export function packetizeAv1(
  unit: Buffer,
  { sequence, isKeyframe }: { sequence: readonly Buffer[]; isKeyframe: boolean },
  maxPayload = maxRtpPayload,
): Buffer[] {
  const own = splitObus(unit).filter(isCarried);
  const hasHeader = own.some((obu) => obuType(obu) === sequenceHeader);
  const obus = isKeyframe && !hasHeader ? [...sequence, ...own] : own;
  const packets: Buffer[] = [];
  let parts: Buffer[] = [];
  let room = maxPayload - 1;
  let continues = false;
  const endPacket = (isContinued: boolean) => {
    const flags = (continues ? 0x80 : 0) | (isContinued ? 0x40 : 0) | (isKeyframe && packets.length === 0 ? 0x08 : 0);
    packets.push(Buffer.concat([Buffer.alloc(rtpHeaderBytes), Buffer.from([flags]), ...parts]));
    parts = [];
    room = maxPayload - 1;
    continues = isContinued;
  };
  for (const obu of obus) {
    for (let from = 0; from < obu.length; ) {
      // Two octets hold the length of everything that fits into a packet.
      if (room < 3) endPacket(false);
      const to = Math.min(obu.length, from + room - 2);
      parts.push(leb128(to - from), obu.subarray(from, to));
      room -= 2 + to - from;
      from = to;
      if (from < obu.length) endPacket(true);
    }
  }
  if (parts.length > 0) endPacket(false);
  return packets;
}
