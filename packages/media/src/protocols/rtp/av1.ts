import {
  joinObus,
  leb128,
  mostObus,
  obuType,
  readLeb128,
  sequenceHeader,
  splitObus,
  toAv1Config,
} from '../../codecs/av1.ts';
import { maxPictureBytes } from '../../codecs/nal.ts';
import { MalformedMedia } from '../../frame.ts';
import { maxRtpPayload, mostPicturePackets, type RtpPacket, rtpHeaderBytes } from './rtp-packet.ts';
import { LastConfig, type ReceivedPicture, type VideoDepacketizer } from './video-depacketizer.ts';

const temporalDelimiter = 2;
const tileList = 8;
const padding = 15;

const isCarried = (obu: Buffer) => ![temporalDelimiter, tileList, padding].includes(obuType(obu));

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
    if (payload.length > 1) this.#append(payload);
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

  #append(payload: Buffer): void {
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
      const config = header && this.#lastConfig.ifNew(toAv1Config(header));
      done.push({ timestamp: this.#timestamp, isKeyframe, payload: joinObus(this.#obus), config });
    }
    this.#drop();
  }
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
