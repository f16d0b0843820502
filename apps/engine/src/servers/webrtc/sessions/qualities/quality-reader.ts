import type { PacketRing } from '../../../../packagers/rtp/packet-ring.ts';
import type { RtpPackager, RtpReceiver } from '../../../../packagers/rtp/rtp-packager.ts';

/** Sends the video of a lower quality. */
interface Owner {
  pump(reader: QualityReader, ring: PacketRing, mostPackets: number, nowMs: number): boolean;
  onOver(reader: QualityReader): void;
}

/** One viewer's place in the video of a lower quality. */
export class QualityReader implements RtpReceiver {
  readonly name: string;
  readonly packager: RtpPackager;
  place = 0;
  readonly #owner: Owner;

  constructor(owner: Owner, name: string, packager: RtpPackager) {
    this.#owner = owner;
    this.name = name;
    this.packager = packager;
    packager.add(this);
  }

  pump(ring: PacketRing, mostPackets: number, nowMs: number): boolean {
    return this.#owner.pump(this, ring, mostPackets, nowMs);
  }

  onOver(): void {
    this.#owner.onOver(this);
  }

  close(): void {
    this.packager.remove(this);
  }
}
