import type { OutPacket } from './out-packet.ts';

/** A power of two. At 1200 octets each 10 MB, some seconds of the fastest streams. */
const capacity = 8192;
/** Size limit of all packets. */
const mostBytes = 16 * 1024 * 1024;
/** Packets kept of a stream without video, which only viewers that fell behind need. */
const mostWithoutEntry = 256;

/**
 * The last packets of a stream, shared by its viewers: for those who join, who fall behind, and who lost some. It holds
 * the newest group of pictures and the one before, as far as they fit.
 */
export class PacketRing {
  readonly #packets: (OutPacket | undefined)[] = [];
  readonly #video = new Map<number, OutPacket>();
  readonly #audio = new Map<number, OutPacket>();
  #start = 0;
  #end = 0;
  #bytes = 0;
  #entry: number | undefined;
  /** Position of the newest keyframe, even when it is no longer a valid entry. */
  #lastEntry: number | undefined;

  /** Position after the newest packet. Positions grow without end. */
  get end(): number {
    return this.#end;
  }

  /** The oldest place that is still held. */
  get start(): number {
    return this.#start;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Position of the newest keyframe, while it is held. */
  get entry(): number | undefined {
    return this.#entry !== undefined && this.#entry >= this.#start ? this.#entry : undefined;
  }

  push(packet: OutPacket): void {
    if (packet.isEntry) {
      if (this.#lastEntry !== undefined) this.#releaseTo(this.#lastEntry);
      this.#entry = this.#end;
      this.#lastEntry = this.#end;
    }
    this.#packets[this.#end % capacity] = packet;
    this.#track(packet).set(packet.sequence, packet);
    this.#end += 1;
    this.#bytes += packet.payload.length;
    this.#releaseTo(this.#end - (this.#lastEntry === undefined ? mostWithoutEntry : capacity - 1));
    while (this.#bytes > mostBytes) this.#releaseTo(this.#start + 1);
  }

  at(place: number): OutPacket | undefined {
    return place >= this.#start && place < this.#end ? this.#packets[place % capacity] : undefined;
  }

  /** A packet of video by its own count. */
  video(sequence: number): OutPacket | undefined {
    return this.#video.get(sequence);
  }

  /** A packet of audio by its own count. */
  audio(sequence: number): OutPacket | undefined {
    return this.#audio.get(sequence);
  }

  /** Invalidates the entry: viewers can start only with a later keyframe. */
  closeEntry(): void {
    this.#entry = undefined;
  }

  #track({ isVideo }: OutPacket): Map<number, OutPacket> {
    return isVideo ? this.#video : this.#audio;
  }

  #releaseTo(place: number): void {
    for (; this.#start < place; this.#start++) {
      const old = this.#packets[this.#start % capacity];
      this.#bytes -= old?.payload.length ?? 0;
      if (old) this.#track(old).delete(old.sequence);
      this.#packets[this.#start % capacity] = undefined;
    }
  }
}
