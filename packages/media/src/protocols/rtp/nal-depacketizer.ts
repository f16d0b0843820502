import { maxPictureBytes } from '../../codecs/nal.ts';
import { MalformedMedia } from '../../frame.ts';
import type { NalLayout } from './nal-layout.ts';
import { mostPicturePackets, type RtpPacket } from './rtp-packet.ts';

/** Units of one picture, in order. */
export interface NalPicture {
  readonly timestamp: number;
  readonly nals: Buffer[];
}

const mostNals = 4096;

/**
 * Packets in order → pictures. A picture ends with the marker, or where the next time begins for senders that set none.
 * What a lost packet leaves incomplete is dropped by `lose`.
 */
export class NalDepacketizer {
  readonly #layout: NalLayout;
  #nals: Buffer[] = [];
  #parts: Buffer[] = [];
  #bytes = 0;
  #packets = 0;
  #timestamp: number | undefined;

  constructor(layout: NalLayout) {
    this.#layout = layout;
  }

  /** The pictures that this packet completes: none, one, or two when the one before had no marker. */
  push({ payload, timestamp, isMarker }: RtpPacket): NalPicture[] {
    const done: NalPicture[] = [];
    if (this.#timestamp !== timestamp) this.#end(done);
    this.#timestamp = timestamp;
    this.#bytes += payload.length;
    this.#packets += 1;
    if (this.#bytes > maxPictureBytes || this.#nals.length > mostNals || this.#packets > mostPicturePackets)
      throw new MalformedMedia('picture is too large');
    this.#append(payload);
    if (isMarker) this.#end(done);
    return done;
  }

  /** Packets are missing: the picture they belonged to is of no use. */
  lose(): void {
    this.#nals = [];
    this.#parts = [];
    this.#bytes = 0;
    this.#packets = 0;
  }

  #end(done: NalPicture[]): void {
    if (this.#nals.length > 0 && this.#timestamp !== undefined)
      done.push({ timestamp: this.#timestamp, nals: this.#nals });
    this.lose();
  }

  #append(payload: Buffer): void {
    const { headerBytes, aggregationType, fragmentType, typeOf } = this.#layout;
    if (payload.length <= headerBytes) return;
    const type = typeOf(payload.readUInt8(0));
    if (type === aggregationType) this.#split(payload);
    else if (type === fragmentType) this.#join(payload);
    // Higher types are packet layouts that were not negotiated.
    else if (type < aggregationType) this.#nals.push(payload);
  }

  #split(payload: Buffer): void {
    let at = this.#layout.headerBytes;
    while (at + 2 < payload.length && this.#nals.length <= mostNals) {
      const end = at + 2 + payload.readUInt16BE(at);
      if (end > payload.length) return;
      if (end - at - 2 >= this.#layout.headerBytes) this.#nals.push(payload.subarray(at + 2, end));
      at = end;
    }
  }

  #join(payload: Buffer): void {
    const { headerBytes } = this.#layout;
    const flags = payload[headerBytes] ?? 0;
    if ((flags & 0x80) !== 0) {
      const header = Buffer.allocUnsafe(headerBytes);
      this.#layout.restoreHeader(header, payload);
      this.#parts = [header];
    }
    // A part whose beginning was lost.
    if (this.#parts.length === 0) return;
    this.#parts.push(payload.subarray(headerBytes + 1));
    if ((flags & 0x40) === 0) return;
    this.#nals.push(Buffer.concat(this.#parts));
    this.#parts = [];
  }
}
