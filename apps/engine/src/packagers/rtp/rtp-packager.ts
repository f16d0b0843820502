import type { MediaFrame, TrackConfig } from '@weir/media';
import type { Packager } from '../../hub/packager.ts';
import { RateMeter } from '../../hub/rate-meter.ts';
import type { FrameSource } from '../../hub/stream.ts';
import type { PacketRing } from './packet-ring.ts';
import { StreamPackets } from './stream-packets.ts';

/** Drift from which the stream must have been interrupted, so that the clock is set again. */
const mostDriftMs = 500;

/**
 * Current time on a stream's clock, for sender reports. Both tracks of a viewer use the same clock, which keeps audio
 * and video in sync.
 */
class StreamClock {
  #offsetMs: number | undefined;

  follow(streamMs: number, nowMs: number): void {
    const offset = streamMs - nowMs;
    if (this.#offsetMs === undefined || Math.abs(offset - this.#offsetMs) > mostDriftMs) this.#offsetMs = offset;
    // Follows the publisher's clock slowly, which runs a little faster or slower than ours.
    else this.#offsetMs += (offset - this.#offsetMs) / 256;
  }

  /** Undefined before the first frame. */
  at(nowMs: number): number | undefined {
    return this.#offsetMs === undefined ? undefined : nowMs + this.#offsetMs;
  }
}

/** Receiver of packets. */
export interface RtpReceiver {
  /** Sends what is new, at most so many packets; true when there is more. */
  pump(ring: PacketRing, mostPackets: number, nowMs: number): boolean;
  /** The stream has ended. */
  onOver(): void;
}

/** Longest time in the event loop at a time, so that many viewers do not delay everything else. */
const sliceMs = 4;
/** Packets per viewer and turn. A new viewer gets its first pictures over several turns, not in one burst. */
const packetsPerTurn = 48;
const turnMs = 4;
/**
 * Number of viewers from which audio packets are sent in pairs behind video, because each message and packet costs time.
 */
const joinSoundsFrom = 24;
/** Window of the bitrate, long enough for a keyframe or two. */
const rateSeconds = 8;

/** Turns one stream into RTP packets, once, and hands them to every viewer. */
export class RtpPackager implements Packager {
  readonly clock = new StreamClock();
  readonly #packets = new StreamPackets();
  readonly #videoRate = new RateMeter(performance.now());
  readonly #stream: FrameSource;
  readonly #onEmpty: () => void;
  readonly #receivers = new Set<RtpReceiver>();
  #turn: NodeJS.Timeout | NodeJS.Immediate | undefined;
  /** Receivers of this round, and the current one. */
  #round: readonly RtpReceiver[] = [];
  #at = 0;
  #hasMore = false;
  /** True if packets came during a round. */
  #isStale = false;

  constructor(stream: FrameSource, onEmpty: () => void) {
    this.#stream = stream;
    this.#onEmpty = onEmpty;
    stream.attach(this);
    try {
      for (const frame of stream.cached()) this.#packets.frame(frame, false);
    } catch (error) {
      // A failed start must not stay attached to the stream.
      stream.detach(this);
      throw error;
    }
  }

  get ring(): PacketRing {
    return this.#packets.ring;
  }

  get newest(): { readonly picture: number; readonly timestamp: number } {
    return this.#packets.newest;
  }

  /** Video bitrate over the last seconds. */
  get videoKbps(): number {
    return (this.#videoRate.perSecond(rateSeconds, performance.now()) * 8) / 1000;
  }

  /** A time of the stream on the clock of the audio's timestamps. */
  audioTicksAt(streamMs: number): number {
    return this.#packets.audioTicksAt(streamMs);
  }

  add(receiver: RtpReceiver): void {
    this.#receivers.add(receiver);
  }

  remove(receiver: RtpReceiver): void {
    if (!this.#receivers.delete(receiver) || this.#receivers.size > 0) return;
    this.#stop();
    this.#onEmpty();
  }

  onConfig(config: TrackConfig): void {
    this.#packets.config(config);
  }

  onFrame(frame: MediaFrame): void {
    this.clock.follow(frame.ptsMs, performance.now());
    if (frame.kind === 'video') this.#videoRate.add(frame.payload.length, performance.now());
    const { end } = this.ring;
    this.#packets.frame(frame, this.#receivers.size >= joinSoundsFrom);
    if (this.ring.end > end) this.wake();
  }

  onDiscontinuity(): void {
    this.#packets.seam();
  }

  close(): void {
    this.#stop();
    for (const receiver of [...this.#receivers]) receiver.onOver();
  }

  /** Sends waiting packets to viewers, in several turns if that takes long. */
  wake(): void {
    if (this.#turn === undefined) this.#pump();
    else this.#isStale = true;
  }

  readonly #pump = (): void => {
    this.#turn = undefined;
    let nowMs = performance.now();
    const untilMs = nowMs + sliceMs;
    if (this.#at >= this.#round.length) {
      this.#round = [...this.#receivers];
      this.#at = 0;
      this.#hasMore = false;
    }
    while (this.#at < this.#round.length) {
      if (this.#round[this.#at++]?.pump(this.ring, packetsPerTurn, nowMs)) this.#hasMore = true;
      nowMs = performance.now();
      if (this.#at < this.#round.length && nowMs > untilMs) {
        this.#turn = setImmediate(this.#pump);
        return;
      }
    }
    if (this.#hasMore) this.#turn = setTimeout(this.#pump, turnMs);
    else if (this.#isStale) this.#turn = setImmediate(this.#pump);
    this.#isStale = false;
  };

  #stop(): void {
    clearTimeout(this.#turn as NodeJS.Timeout);
    clearImmediate(this.#turn as NodeJS.Immediate);
    this.#turn = undefined;
    this.#stream.detach(this);
  }
}
