/** One packet of a stream, made once for all viewers. Its header is written anew for each of them. */
export interface OutPacket {
  /** Room for the header, then the payload. */
  readonly bytes: Buffer;
  readonly isVideo: boolean;
  /** Counts the packets of its track, without end. */
  readonly sequence: number;
  /** On the clock of its track, before a viewer's offset; without end. */
  readonly timestamp: number;
  readonly isMarker: boolean;
  /** Counts pictures. */
  readonly picture: number;
  /** The first packet of a keyframe: a viewer can start here. */
  readonly isEntry: boolean;
}

/** A power of two. At 1200 octets each 10 MB, some seconds of the fastest streams. */
const capacity = 8192;

/** The last packets of a stream, shared by its viewers: for those who join, who fall behind, and who lost some. */
export class PacketRing {
  readonly #packets: (OutPacket | undefined)[] = [];
  readonly #pictures = new Map<number, OutPacket>();
  #end = 0;
  #entry: number | undefined;

  /** One past the newest. Places are numbered without end. */
  get end(): number {
    return this.#end;
  }

  /** The oldest place that is still held. */
  get start(): number {
    return Math.max(0, this.#end - capacity);
  }

  /** Where the newest keyframe begins, while it is held. */
  get entry(): number | undefined {
    return this.#entry !== undefined && this.#entry >= this.start ? this.#entry : undefined;
  }

  push(packet: OutPacket): void {
    const slot = this.#end % capacity;
    const old = this.#packets[slot];
    if (old?.isVideo) this.#pictures.delete(old.sequence);
    this.#packets[slot] = packet;
    if (packet.isVideo) this.#pictures.set(packet.sequence, packet);
    if (packet.isEntry) this.#entry = this.#end;
    this.#end += 1;
  }

  at(place: number): OutPacket | undefined {
    return place >= this.start && place < this.#end ? this.#packets[place % capacity] : undefined;
  }

  /** A packet of video by its own count. */
  video(sequence: number): OutPacket | undefined {
    return this.#pictures.get(sequence);
  }

  /** Nobody can start before what comes next. */
  closeEntry(): void {
    this.#entry = undefined;
  }
}
