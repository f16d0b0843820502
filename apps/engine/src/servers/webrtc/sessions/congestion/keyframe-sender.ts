import type { PacketRing } from '../../../../packagers/rtp/packet-ring.ts';
import type { PacketSender } from '../packet-sender.ts';
import type { SentTrack } from '../sent-track.ts';

/** Unused credit does not accumulate: one packet, or two turns at a higher pace. */
const leastCreditBytes = 1200;
const creditMs = 8;
/** Limit of queued retransmissions. Receivers request missing ones again. */
const mostRepairs = 64;
/** Packets repeated in turn to probe the line. */
const mostAgain = 16;

/**
 * Video for a line that does not carry all of it: one keyframe after the other at a pace that is given, the newest first.
 * Keyframes that come meanwhile are left out. Audio does not wait here.
 */
export class KeyframeSender {
  readonly #sender: PacketSender;
  readonly #track: SentTrack;
  /** Next position in the keyframe being sent, and its packet count. */
  #place = -1;
  #picture = -1;
  #isWhole = true;
  #newestPlace = -1;
  #repairs: number[] = [];
  /** Distance of the next packet that is repeated to probe the line. */
  #again = 0;
  #creditBytes = 0;
  #creditMs = 0;

  constructor(sender: PacketSender, track: SentTrack) {
    this.#sender = sender;
    this.#track = track;
  }

  /** Begins without a keyframe. */
  reset(nowMs: number): void {
    this.#isWhole = true;
    this.#newestPlace = -1;
    this.#repairs = [];
    this.#creditBytes = 0;
    this.#creditMs = nowMs;
  }

  /** A keyframe begins at this place. */
  onEntry(place: number): void {
    this.#newestPlace = place;
  }

  repair(wire: number): void {
    if (this.#repairs.length < mostRepairs && !this.#repairs.includes(wire)) this.#repairs.push(wire);
  }

  /** True while packets wait. */
  get isWaiting(): boolean {
    return !this.#isWhole || this.#newestPlace >= 0 || this.#repairs.length > 0;
  }

  /** Sends what the pace allows, with `fills` all of that; tells how many octets. */
  send(ring: PacketRing, paceKbps: number, fills: boolean, nowMs: number): number {
    const mostBytes = Math.max(leastCreditBytes, (paceKbps * creditMs) / 8);
    this.#creditBytes = Math.min(mostBytes, this.#creditBytes + ((nowMs - this.#creditMs) * paceKbps) / 8);
    this.#creditMs = nowMs;
    let bytes = 0;
    while (this.#creditBytes > 0) {
      const sent =
        this.#sendRepair(ring, nowMs) || this.#sendNext(ring, nowMs) || (fills ? this.#fill(ring, nowMs) : 0);
      if (sent === 0) break;
      this.#creditBytes -= sent;
      bytes += sent;
    }
    return bytes;
  }

  #sendNext(ring: PacketRing, nowMs: number): number {
    if (this.#isWhole) {
      const first = this.#newestPlace < 0 ? undefined : ring.at(this.#newestPlace);
      if (!first) return 0;
      this.#place = this.#newestPlace;
      this.#picture = first.picture;
      this.#newestPlace = -1;
      this.#isWhole = false;
    }
    for (; this.#place < ring.end; this.#place++) {
      const packet = ring.at(this.#place);
      if (!packet || (packet.isVideo && packet.picture !== this.#picture)) break;
      if (!packet.isVideo) continue;
      this.#place += 1;
      if (packet.isMarker) this.#isWhole = true;
      this.#track.count(packet.payload.length - packet.padding);
      const wire = this.#track.next(packet);
      return this.#sender.send(packet, this.#track, wire, this.#track.wireTime(packet.timestamp), nowMs);
    }
    // The rest is gone.
    this.#isWhole = true;
    return 0;
  }

  #sendRepair(ring: PacketRing, nowMs: number): number {
    for (let wire = this.#repairs.shift(); wire !== undefined; wire = this.#repairs.shift()) {
      const packet = ring.video(this.#track.sequenceOf(wire));
      if (packet)
        return this.#sender.sendAgain(packet, this.#track, wire, this.#track.wireTime(packet.timestamp), nowMs);
    }
    return 0;
  }

  /** Packets that were sent just now once more, the newest first. */
  #fill(ring: PacketRing, nowMs: number): number {
    const { newest } = this.#track;
    if (this.#again >= mostAgain || this.#track.wireOf(newest - this.#again) < 0) this.#again = 0;
    const sequence = newest - this.#again++;
    const packet = ring.video(sequence);
    const wire = this.#track.wireOf(sequence);
    if (!packet || wire < 0) return 0;
    return this.#sender.sendAgain(packet, this.#track, wire, this.#track.wireTime(packet.timestamp), nowMs);
  }
}
