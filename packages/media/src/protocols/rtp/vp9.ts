import { maxPictureBytes } from '../../codecs/nal.ts';
import { toVp9Config } from '../../codecs/vp9.ts';
import { MalformedMedia } from '../../frame.ts';
import { maxRtpPayload, mostPicturePackets, type RtpPacket, rtpHeaderBytes } from './rtp-packet.ts';
import { LastConfig, type ReceivedPicture, type VideoDepacketizer } from './video-depacketizer.ts';

interface Descriptor {
  /** Offset of the frame data behind the payload descriptor. */
  readonly end: number;
  readonly isInter: boolean;
  readonly isStart: boolean;
  readonly layer: number;
}

/**
 * The descriptor in front of each payload (RFC 9628, 4.2):
 *
 *     I:1 P:1 L:1 F:1 B:1 E:1 V:1 Z:1   [picture id]   [TID:3 U:1 SID:3 D:1 [TL0PICIDX:8]]   [P_DIFF:7 N:1 …]   [structure]
 */
function readDescriptor(payload: Buffer): Descriptor {
  const at = (index: number) => {
    const octet = payload[index];
    if (octet === undefined) throw new MalformedMedia('VP9 descriptor is cut off');
    return octet;
  };
  const flags = at(0);
  const isFlexible = (flags & 0x10) !== 0;
  const isInter = (flags & 0x40) !== 0;
  let end = 1;
  if ((flags & 0x80) !== 0) end += (at(end) & 0x80) !== 0 ? 2 : 1;
  let layer = 0;
  if ((flags & 0x20) !== 0) {
    layer = (at(end) >> 1) & 7;
    end += isFlexible ? 1 : 2;
  }
  if (isFlexible && isInter) {
    let more = 3;
    while (more > 0 && (at(end++) & 1) !== 0) more -= 1;
  }
  if ((flags & 0x02) !== 0) {
    const structure = at(end++);
    if ((structure & 0x10) !== 0) end += ((structure >> 5) + 1) * 4;
    if ((structure & 0x08) !== 0) {
      let groups = at(end++);
      for (; groups > 0; groups--) end += 1 + ((at(end) >> 2) & 3);
    }
  }
  return { end, isInter, isStart: (flags & 0x08) !== 0, layer };
}

/** VP9 over RTP; of several spatial layers the lowest, which stands alone. */
export class Vp9Depacketizer implements VideoDepacketizer {
  #parts: Buffer[] = [];
  #bytes = 0;
  #isKeyframe = false;
  #timestamp: number | undefined;
  readonly #lastConfig = new LastConfig();

  push({ payload, timestamp, isMarker }: RtpPacket): ReceivedPicture[] {
    const done: ReceivedPicture[] = [];
    if (this.#timestamp !== timestamp) this.#end(done);
    this.#timestamp = timestamp;
    if (payload.length > 0) this.#append(payload);
    if (isMarker) this.#end(done);
    return done;
  }

  lose(): void {
    this.#parts = [];
    this.#bytes = 0;
  }

  #append(payload: Buffer): void {
    const { end, isInter, isStart, layer } = readDescriptor(payload);
    // A part whose beginning was lost, or of a higher layer.
    if (layer > 0 || (this.#parts.length === 0 && !isStart)) return;
    if (this.#parts.length === 0) this.#isKeyframe = !isInter;
    this.#bytes += payload.length;
    if (this.#bytes > maxPictureBytes || this.#parts.length > mostPicturePackets)
      throw new MalformedMedia('picture is too large');
    this.#parts.push(payload.subarray(end));
  }

  #end(done: ReceivedPicture[]): void {
    if (this.#parts.length > 0 && this.#timestamp !== undefined) {
      const payload = Buffer.concat(this.#parts);
      const config = this.#isKeyframe ? this.#lastConfig.ifNew(toVp9Config(payload)) : undefined;
      done.push({ timestamp: this.#timestamp, isKeyframe: this.#isKeyframe, payload, config });
    }
    this.lose();
  }
}

/** First octet of the descriptor, and the id of the picture. */
export const vp9IdBytes = 3;
const mostId = 0x7fff;

/** Writes these where the payload begins. */
export function writeVp9Id(packet: Buffer, at: number, flags: number, id: number): void {
  packet[at] = flags;
  packet[at + 1] = 0x80 | ((id & mostId) >> 8);
  packet[at + 2] = id;
}

/** The packets of one picture. Each picture names the one before it as its only reference, which is what decoders wait for. */
export function packetizeVp9(
  picture: Buffer,
  { id, isKeyframe }: { id: number; isKeyframe: boolean },
  maxPayload = maxRtpPayload,
): Buffer[] {
  const descriptorBytes = isKeyframe ? 4 : 5;
  const count = Math.ceil(picture.length / (maxPayload - descriptorBytes));
  const size = Math.ceil(picture.length / Math.max(1, count));
  const packets: Buffer[] = [];
  for (let from = 0; from < picture.length; from += size) {
    const to = Math.min(picture.length, from + size);
    const out = Buffer.allocUnsafe(rtpHeaderBytes + descriptorBytes + to - from);
    const place = (from === 0 ? 0x08 : 0) | (to === picture.length ? 0x04 : 0);
    writeVp9Id(out, rtpHeaderBytes, 0xb0 | (isKeyframe ? 0 : 0x40) | place, id);
    out[rtpHeaderBytes + vp9IdBytes] = 0;
    if (!isKeyframe) out[rtpHeaderBytes + vp9IdBytes + 1] = 1 << 1;
    picture.copy(out, rtpHeaderBytes + descriptorBytes, from, to);
    packets.push(out);
  }
  return packets;
}
