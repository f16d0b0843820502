import type { VideoCodec } from '@weir/media';
import {
  Av1Depacketizer,
  H264Depacketizer,
  H265Depacketizer,
  NackList,
  type ReceivedPicture,
  ReorderBuffer,
  type RtpPacket,
  type VideoDepacketizer,
  Vp9Depacketizer,
  writeNack,
} from '@weir/media/rtp';

/** Time for which a lost packet is requested. After that a keyframe is quicker. */
const repairMs = 600;

/** Turns the packets of one video track, in any order, into decodable pictures in order and without holes. */
export class VideoIngest {
  readonly codec: VideoCodec;
  readonly #depacketizer: VideoDepacketizer;
  readonly #order = new ReorderBuffer(repairMs);
  readonly #missing = new NackList(repairMs);
  #needsKeyframe = true;
  #hasConfig = false;

  constructor(codec: VideoCodec) {
    this.codec = codec;
    this.#depacketizer = depacketizers[codec]();
  }

  get needsKeyframe(): boolean {
    return this.#needsKeyframe;
  }

  /** Packets that arrived as retransmissions. */
  get recovered(): number {
    return this.#missing.answered;
  }

  /** True while packets are missing: check again soon. */
  get isWaiting(): boolean {
    return this.#order.isWaiting || this.#missing.size > 0;
  }

  push(packet: RtpPacket, nowMs: number): void {
    if (!this.#missing.onPacket(packet.sequence, nowMs)) this.#lose();
    this.#order.push(packet, nowMs);
  }

  drain(nowMs: number): ReceivedPicture[] {
    const pictures: ReceivedPicture[] = [];
    for (let packet = this.#order.shift(nowMs); packet; packet = this.#order.shift(nowMs)) {
      if (this.#order.isAfterGap) this.#lose();
      for (const picture of this.#depacketizer.push(packet)) if (this.#isUsable(picture)) pictures.push(picture);
    }
    return pictures;
  }

  /** Builds a NACK for missing packets that are due. */
  repair(ssrc: number, mediaSsrc: number, nowMs: number): Buffer | undefined {
    const due = this.#missing.due(nowMs);
    return due.length === 0 ? undefined : writeNack(ssrc, mediaSsrc, due);
  }

  #lose(): void {
    this.#depacketizer.lose();
    this.#needsKeyframe = true;
  }

  /** Drops pictures up to the next keyframe: those that depend on a lost one would look broken. */
  #isUsable({ isKeyframe, config }: ReceivedPicture): boolean {
    if (config) this.#hasConfig = true;
    if (isKeyframe && this.#hasConfig) this.#needsKeyframe = false;
    return !this.#needsKeyframe;
  }
}

const depacketizers: Readonly<Record<VideoCodec, () => VideoDepacketizer>> = {
  h264: () => new H264Depacketizer(),
  h265: () => new H265Depacketizer(),
  av1: () => new Av1Depacketizer(),
  vp9: () => new Vp9Depacketizer(),
};
