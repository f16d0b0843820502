import type { VideoCodec, VideoConfig } from '@weir/media';
import { type ReceivedPicture, type RtpPacket, writePli } from '@weir/media/rtp';
import { ReceivedTrack } from '../received-track.ts';
import { VideoIngest } from '../video-ingest.ts';
import { type LayerState, Presence } from './layer-selector.ts';

/** Pause between keyframe requests: repeating one while its keyframe is on the way only causes another keyframe. */
const repeatAfterMs = 500;
const rateMs = 1000;

/** One encoding of a publisher's video. */
export class VideoLayer implements LayerState {
  readonly track: ReceivedTrack;
  readonly pictures: VideoIngest;
  readonly #presence = new Presence();
  config: VideoConfig | undefined;
  kbps = 0;
  #bytes = 0;
  #countedMs = 0;
  #requestedMs = Number.NEGATIVE_INFINITY;

  constructor(payloadType: number, codec: VideoCodec) {
    this.track = new ReceivedTrack(payloadType, 90_000);
    this.pictures = new VideoIngest(codec);
  }

  get pixels(): number {
    return (this.config?.width ?? 0) * (this.config?.height ?? 0);
  }

  get isReady(): boolean {
    return this.config !== undefined;
  }

  get heardMs(): number {
    return this.#presence.heardMs;
  }

  get sinceMs(): number {
    return this.#presence.sinceMs;
  }

  /** Counts a packet of this layer; false for packets of others. */
  accepts(packet: RtpPacket, nowMs: number): boolean {
    if (!this.track.accepts(packet, nowMs)) return false;
    // Packets without a payload only probe the line.
    if (packet.payload.length > 0) this.#presence.hear(nowMs);
    this.#bytes += packet.payload.length;
    if (nowMs - this.#countedMs >= rateMs) {
      this.kbps = (this.#bytes * 8) / (nowMs - this.#countedMs);
      this.#bytes = 0;
      this.#countedMs = nowMs;
    }
    return true;
  }

  drain(nowMs: number): ReceivedPicture[] {
    const pictures = this.pictures.drain(nowMs);
    for (const { config } of pictures) if (config) this.config = config;
    return pictures;
  }

  /** Returns a PLI packet, unless one was sent less than `repeatAfterMs` ago. */
  keyframeRequest(ours: number, nowMs: number): Buffer | undefined {
    const { ssrc } = this.track;
    if (ssrc === undefined || nowMs - this.#requestedMs < repeatAfterMs) return undefined;
    this.#requestedMs = nowMs;
    return writePli(ours, ssrc);
  }

  /** Returns a NACK packet if one is due. */
  repairRequest(ours: number, nowMs: number): Buffer | undefined {
    const { ssrc } = this.track;
    return ssrc === undefined ? undefined : this.pictures.repair(ours, ssrc, nowMs);
  }
}
