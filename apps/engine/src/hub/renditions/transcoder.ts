import { MalformedMedia, type MediaFrame, MpegTsMuxer, type TrackConfig } from '@weir/media';
import { MpegTsDemuxer } from '@weir/media/mpegts-demuxer';
import { Child, type ChildEnd } from '@weir/process';

export interface TranscoderOptions {
  readonly ffmpeg: string;
  readonly args: readonly string[];
  readonly source: TrackConfig;
  readonly onConfig: (config: TrackConfig) => void;
  readonly onFrame: (frame: MediaFrame) => void;
  readonly onEnd: (end: ChildEnd) => void;
}

/** A child that does not take more than this is behind; what it would get later is too late. */
const mostQueuedBytes = { audio: 64 * 1024, video: 4 * 1024 * 1024 };

/**
 * The child's clock begins here: encoders begin before their first frame, and 33 bits have no negative times. ffmpeg
 * follows one overrun of the 33 bits, from the minute before its first time on; then the child must be renewed.
 */
const firstMs = 100_000;
const longestRunMs = 24 * 3600 * 1000;

/** ffmpeg looks at this many packets before it believes its input; empty ones spare waiting for real ones. */
const leadPackets = 20;
const emptyPacket = Buffer.alloc(188, 0xff);
emptyPacket.writeUInt32BE(0x471fff10, 0);

/** One track through one ffmpeg, on the clock of its source: what goes in at a time comes out at that time. */
export class Transcoder {
  readonly #options: TranscoderOptions;
  readonly #muxer = new MpegTsMuxer();
  readonly #demuxer = new MpegTsDemuxer();
  readonly #child: Child;
  #shiftMs: number | undefined;
  #needsKeyframe: boolean;

  /** Throws MalformedMedia for a track that MPEG-TS cannot carry. */
  constructor(options: TranscoderOptions) {
    this.#options = options;
    this.#needsKeyframe = options.source.kind === 'video';
    this.#muxer.setConfig(options.source);
    this.#child = new Child({
      command: options.ffmpeg,
      args: options.args,
      onOutput: (chunk) => this.#read(chunk),
      onEnd: options.onEnd,
    });
    this.#child.write(Buffer.concat([this.#muxer.tables(), ...Array(leadPackets).fill(emptyPacket)]));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get ended(): Promise<ChildEnd> {
    return this.#child.ended;
  }

  /** Whether the child's clock runs out. */
  isWorn(frame: MediaFrame): boolean {
    return this.#shiftMs !== undefined && frame.dtsMs + this.#shiftMs > firstMs + longestRunMs;
  }

  /** False when the frame was left out: the child is behind, or a picture that builds on one it did not get. */
  feed(frame: MediaFrame): boolean {
    if (this.#child.hasEnded || this.#child.queuedBytes > mostQueuedBytes[frame.kind]) {
      this.#needsKeyframe = frame.kind === 'video';
      return false;
    }
    if (this.#needsKeyframe && !frame.isKeyframe) return false;
    this.#needsKeyframe = false;
    this.#shiftMs ??= firstMs - frame.dtsMs;
    const bytes = this.#mux(frame, this.#shiftMs);
    if (bytes) this.#child.write(bytes);
    return bytes !== undefined;
  }

  /** No more comes: what it still has comes out, then it ends. */
  finish(): Promise<ChildEnd> {
    return this.#child.stop();
  }

  kill(): void {
    this.#child.kill();
  }

  #mux(frame: MediaFrame, shiftMs: number): Buffer | undefined {
    try {
      return this.#muxer.frame({ ...frame, dtsMs: frame.dtsMs + shiftMs, ptsMs: frame.ptsMs + shiftMs });
    } catch (error) {
      if (!(error instanceof MalformedMedia)) throw error;
      return undefined;
    }
  }

  #read(chunk: Buffer): void {
    try {
      for (const item of this.#demuxer.push(chunk)) {
        if (item.type === 'config') this.#options.onConfig(item.config);
        else if (item.type === 'frame') this.#options.onFrame(this.#onSourceClock(item.frame));
      }
    } catch (error) {
      if (!(error instanceof MalformedMedia)) throw error;
      this.kill();
    }
  }

  #onSourceClock(frame: MediaFrame): MediaFrame {
    const shiftMs = this.#shiftMs ?? 0;
    return { ...frame, dtsMs: frame.dtsMs - shiftMs, ptsMs: frame.ptsMs - shiftMs };
  }
}
