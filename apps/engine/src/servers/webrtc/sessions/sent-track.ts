import type { OutPacket } from '../../../packagers/rtp/out-packet.ts';

/** Track as one viewer receives it: its own sequence numbers and timestamps, without gaps when packets are skipped. */
export class SentTrack {
  readonly payloadType: number;
  readonly ssrc: number;
  packets = 0;
  octets = 0;
  readonly #timeOffset: number;
  /** The next number on the wire, and the packet that would continue without a break. */
  #wire: number;
  #expected = -1;
  #offset = 0;
  /** Next picture id on the wire, and its offset. VP9 numbers pictures. */
  #nextPicture = 0;
  #pictureOffset = 0;
  #isPictureNew = true;
  /** First packet to which the offset applies. */
  #first = 0;

  constructor({ payloadType, ssrc }: { payloadType: number; ssrc: number }, firstWire: number, timeOffset: number) {
    this.payloadType = payloadType;
    this.ssrc = ssrc;
    this.#wire = firstWire;
    this.#timeOffset = timeOffset;
  }

  /** The number under which a packet goes out. */
  next({ sequence }: OutPacket): number {
    if (sequence !== this.#expected) {
      this.#offset = this.#wire - sequence;
      this.#first = sequence;
    }
    this.#expected = sequence + 1;
    this.#wire = sequence + this.#offset + 1;
    return sequence + this.#offset;
  }

  /** The packet that went out last. */
  get newest(): number {
    return this.#expected - 1;
  }

  /** The number under which a packet went out; -1 when it is from before a break, or was never sent. */
  wireOf(sequence: number): number {
    return sequence >= this.#first && sequence < this.#expected ? sequence + this.#offset : -1;
  }

  /** Earlier packets have other times from now on, so they are not retransmitted. */
  breakOff(): void {
    this.#expected = -1;
    this.#isPictureNew = true;
    this.#first = Number.POSITIVE_INFINITY;
  }

  /** Picture id of a packet on the wire. */
  pictureId({ picture }: OutPacket): number {
    if (this.#isPictureNew) this.#pictureOffset = this.#nextPicture - picture;
    this.#isPictureNew = false;
    const id = picture + this.#pictureOffset;
    if (id >= this.#nextPicture) this.#nextPicture = id + 1;
    return id;
  }

  wireTime(ticks: number): number {
    return (ticks + this.#timeOffset) >>> 0;
  }

  count(octets: number): void {
    this.packets += 1;
    this.octets += octets;
  }

  /** The packet that went out under a 16-bit number; -1 when it is from before a break, or was never sent. */
  sequenceOf(wire: number): number {
    const newest = this.#wire - 1;
    const sequence = newest - ((newest - wire) & 0xffff) - this.#offset;
    return this.packets > 0 && sequence >= this.#first ? sequence : -1;
  }
}
