import type { VideoConfig } from '../../frame.ts';
import { isSameDecoder } from '../../same-decoder.ts';
import type { RtpPacket } from './rtp-packet.ts';

/** Frame in the form of the hub, with RTP timestamps. */
export interface ReceivedPicture {
  readonly timestamp: number;
  readonly isKeyframe: boolean;
  readonly payload: Buffer;
  /** Present when this picture must be decoded in another way than the ones before. */
  readonly config: VideoConfig | undefined;
}

/** Packets in order → pictures. */
export interface VideoDepacketizer {
  push(packet: RtpPacket): readonly ReceivedPicture[];
  /** Packets before the next one are missing. */
  lose(): void;
}

/** Remembers how pictures are decoded, so that a config is told when it changes and not with every keyframe. */
export class LastConfig {
  #last: VideoConfig | undefined;

  /** The config if it differs from the last one. */
  ifNew(config: VideoConfig): VideoConfig | undefined {
    const last = this.#last;
    if (last && isSameDecoder(last, config)) return undefined;
    this.#last = config;
    return config;
  }
}
