import type { OutPacket } from '../../../packagers/rtp/out-packet.ts';
import type { PacketRing } from '../../../packagers/rtp/packet-ring.ts';
import type { SentTrack } from './sent-track.ts';

/** Timestamp range of frames that are repeated or sent in another quality, between the newest and the next frame. */
const againTicks = 1000;

/** Position of a viewer in the video, and the timestamps of earlier frames. */
export class VideoPosition {
  needsKeyframe = true;
  /** Pictures that were there before: which, and the times they get. */
  #early = { first: 0, last: -1, timestamp: 0, step: 0 };
  /** The keyframe that was sent last. */
  #keyframe = -1;
  /** Newest time that was sent. */
  #sentTimestamp = 0;

  /** These pictures get times that follow each other fast, beginning with this one. */
  press(first: number, last: number, timestamp: number, step: number): void {
    this.#early = { first, last, timestamp, step };
  }

  /** These pictures follow the newest one that was sent within moments. */
  pressAfter(first: number, last: number, newestTimestamp = this.#sentTimestamp): void {
    const step = Math.max(1, Math.floor(againTicks / (last - first + 2)));
    this.press(first, last, newestTimestamp + step, step);
  }

  /** Begins with the keyframe at this place. Pictures that the viewer has seen already, in another quality, pass in a moment. */
  beginAt(ring: PacketRing, place: number): void {
    this.needsKeyframe = true;
    const first = ring.at(place)?.picture ?? 0;
    let last = first - 1;
    for (let at = place; at < ring.end; at++) {
      const packet = ring.at(at);
      if (packet?.isVideo && packet.timestamp <= this.#sentTimestamp) last = packet.picture;
    }
    this.pressAfter(first, last);
  }

  /** True for video that can be decoded after what was sent. */
  accepts({ isEntry }: OutPacket): boolean {
    if (this.needsKeyframe && !isEntry) return false;
    this.needsKeyframe = false;
    return true;
  }

  timeOf({ isVideo, picture, timestamp }: OutPacket, track: SentTrack): number {
    const { first, last, timestamp: start, step } = this.#early;
    if (!isVideo || picture > last || picture < first) return track.wireTime(timestamp);
    return track.wireTime(start + (picture - first) * step);
  }

  /** A packet was sent. True if it belongs to a burst: a keyframe, or what was there before. */
  onSent({ isEntry, picture, timestamp }: OutPacket): boolean {
    if (timestamp > this.#sentTimestamp) this.#sentTimestamp = timestamp;
    if (isEntry) this.#keyframe = picture;
    return picture === this.#keyframe || picture <= this.#early.last;
  }
}
