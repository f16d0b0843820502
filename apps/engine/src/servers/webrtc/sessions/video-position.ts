import type { OutPacket } from '../../../packagers/rtp/out-packet.ts';
import type { PacketRing } from '../../../packagers/rtp/packet-ring.ts';
import type { SentTrack } from './sent-track.ts';

/** Range of timestamps, between the newest and the next frame, for frames that the viewer gets again. */
const againTicks = 1000;

/** Position of a viewer in the video, and the timestamps of earlier frames. */
export class VideoPosition {
  needsKeyframe = true;
  /** Pictures older than the newest one sent, and the timestamps that replace their own. */
  #early = { first: 0, last: -1, timestamp: 0, step: 0 };
  /** Number of the last keyframe sent. */
  #keyframe = -1;
  /** Newest timestamp sent. */
  #sentTimestamp = 0;

  /** Gives pictures timestamps that are `step` apart, beginning with `timestamp`. */
  press(first: number, last: number, timestamp: number, step: number): void {
    this.#early = { first, last, timestamp, step };
  }

  /** Gives pictures timestamps right behind the newest one sent, so that players show them within moments. */
  pressAfter(first: number, last: number, newestTimestamp = this.#sentTimestamp): void {
    const step = Math.max(1, Math.floor(againTicks / (last - first + 2)));
    this.press(first, last, newestTimestamp + step, step);
  }

  /** Continues with the keyframe at this place. Pictures that the viewer has already seen in another quality pass within moments. */
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

  /** True for video that can be decoded after the packets sent so far. */
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

  /** Called for every packet sent. Returns true if it belongs to a burst: a keyframe, or pictures from before. */
  onSent({ isEntry, picture, timestamp }: OutPacket): boolean {
    if (timestamp > this.#sentTimestamp) this.#sentTimestamp = timestamp;
    if (isEntry) this.#keyframe = picture;
    return picture === this.#keyframe || picture <= this.#early.last;
  }
}
