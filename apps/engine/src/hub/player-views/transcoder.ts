import { MalformedMedia, type MediaFrame, MpegTsMuxer, type TrackConfig } from '@weir/media';
import { MpegTsDemuxer } from '@weir/media/mpegts-demuxer';
import { Child, type ChildEnd } from '@weir/process';

export interface TranscoderOptions {
  readonly ffmpeg: string;
  readonly args: readonly string[];
  readonly source: TrackConfig;
  /** Frames that the child may have to do before it gets no more of them. */
  readonly mostFramesInside?: number | undefined;
  /** The same for what it got longest ago. Left out: only the number counts. */
  readonly mostMsInside?: number;
  /** Encodings that it makes of the track, one on each of its outputs. Usually one. */
  readonly outputs?: number;
  readonly onConfig: (config: TrackConfig, output: number) => void;
  readonly onFrame: (frame: MediaFrame, output: number) => void;
  readonly onEnd: (end: ChildEnd) => void;
  /** Called when the output is unusable for a reason on our side. The child is ended. */
  readonly onFault: (error: unknown) => void;
}

/**
 * A child that has this many frames to do, or does not take this many bytes, is behind: the machine has no time for it. What
 * it would get now would come out too late, so it gets nothing until it has caught up. Of pictures these are two seconds. Sound
 * is done twenty times as fast as it plays once there is time: these six seconds are for a child that starts, or was not let run.
 */
const mostFramesInside = { video: 60, audio: 300 } as const;
/** Caught up with this few frames inside, which codecs may hold for any time, or when no output follows. */
const fewFramesInside = 12;
const drainedMs = 1000;
/** Flushing is quick on an idle machine. On a busy one the end of a recording is worth the wait. */
const finishWithinMs = 10_000;
const mostQueuedBytes = 4 * 1024 * 1024;

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

/** One track through one ffmpeg, with unchanged times, to one or several encodings. */
export class Transcoder {
  readonly #options: TranscoderOptions;
  readonly #muxer = new MpegTsMuxer();
  readonly #child: Child;
  /** When the frames it has are shown, and since when it has them; the last that came out takes those before it along. */
  readonly #inside: { readonly ptsMs: number; readonly fedAt: number }[] = [];
  #shiftMs: number | undefined;
  #needsKeyframe: boolean;
  #hasOutput = false;
  #outAt = 0;
  #isBehind = false;

  /** Throws MalformedMedia for a track that MPEG-TS cannot carry. */
  constructor(options: TranscoderOptions) {
    this.#options = options;
    this.#needsKeyframe = options.source.kind === 'video';
    this.#muxer.setConfig(options.source);
    const [first, ...others] = Array.from({ length: options.outputs ?? 1 }, (_, output) => this.#reader(output));
    this.#child = new Child({
      command: options.ffmpeg,
      args: options.args,
      // Coding pictures takes what it gets; passing streams on must not wait for it.
      niceness: options.source.kind === 'video' ? 5 : 0,
      ...(first && { onOutput: first }),
      onOutputs: others,
      onEnd: options.onEnd,
      graceMs: finishWithinMs,
    });
    this.#child.write(Buffer.concat([this.#muxer.tables(), ...Array(leadPackets).fill(emptyPacket)]));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Last lines of its log. */
  said(): string[] {
    return this.#child.said();
  }

  get ended(): Promise<ChildEnd> {
    return this.#child.ended;
  }

  /** True when the child's 33-bit clock is about to wrap. */
  isWorn(frame: MediaFrame): boolean {
    return this.#shiftMs !== undefined && frame.dtsMs + this.#shiftMs > firstMs + longestRunMs;
  }

  /** True while the child gets nothing, because it is behind. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** True once any output came. */
  get hasOutput(): boolean {
    return this.#hasOutput;
  }

  /** Feeds the initial frames without limit: they are from the past and are processed quickly. */
  prime(frames: readonly MediaFrame[]): void {
    for (const frame of frames) this.#give(frame);
  }

  /** False when the frame was left out: the child is behind, or a picture that builds on one it did not get. */
  feed(frame: MediaFrame): boolean {
    if (this.#child.hasEnded || this.#isStillBehind()) {
      this.#needsKeyframe = frame.kind === 'video';
      return false;
    }
    if (!this.#give(frame)) return false;
    this.#inside.push({ ptsMs: frame.ptsMs, fedAt: performance.now() });
    return true;
  }

  /** Once behind it is emptied: a queue that is always full would keep what comes out late for good. */
  #isStillBehind(): boolean {
    const count = this.#inside.length;
    const most = this.#options.mostFramesInside ?? mostFramesInside[this.#options.source.kind];
    const isFull = count >= most || this.#child.queuedBytes > mostQueuedBytes;
    if (isFull || this.#isLate) this.#isBehind = true;
    else if (count <= fewFramesInside || performance.now() - this.#outAt > drainedMs) this.#isBehind = false;
    return this.#isBehind;
  }

  get #isLate(): boolean {
    const { mostMsInside = Number.POSITIVE_INFINITY } = this.#options;
    const [oldest] = this.#inside;
    if (!oldest || this.#inside.length <= fewFramesInside) return false;
    return performance.now() - oldest.fedAt > mostMsInside;
  }

  /** Ends the input: the child flushes its frames, then exits. */
  finish(): Promise<ChildEnd> {
    return this.#child.stop();
  }

  kill(): void {
    this.#child.kill();
  }

  #give(frame: MediaFrame): boolean {
    if (this.#needsKeyframe && !frame.isKeyframe) return false;
    this.#needsKeyframe = false;
    this.#shiftMs ??= firstMs - frame.dtsMs;
    const bytes = this.#mux(frame, this.#shiftMs);
    if (bytes) this.#child.write(bytes);
    return bytes !== undefined;
  }

  #mux(frame: MediaFrame, shiftMs: number): Buffer | undefined {
    try {
      return this.#muxer.frame({ ...frame, dtsMs: frame.dtsMs + shiftMs, ptsMs: frame.ptsMs + shiftMs });
    } catch (error) {
      if (!(error instanceof MalformedMedia)) throw error;
      return undefined;
    }
  }

  #reader(output: number): (chunk: Buffer) => void {
    const demuxer = new MpegTsDemuxer();
    return (chunk) => this.#read(demuxer, chunk, output);
  }

  #read(demuxer: MpegTsDemuxer, chunk: Buffer, output: number): void {
    try {
      for (const item of demuxer.push(chunk)) {
        if (item.type === 'config') this.#options.onConfig(item.config, output);
        else if (item.type === 'frame') this.#onFrame(this.#onSourceClock(item.frame), output);
      }
    } catch (error) {
      // Called from the child's output, where an exception would be uncaught.
      if (!(error instanceof MalformedMedia)) this.#options.onFault(error);
      this.kill();
    }
  }

  #onFrame(frame: MediaFrame, output: number): void {
    this.#hasOutput = true;
    this.#outAt = performance.now();
    while (this.#inside.length > 0 && (this.#inside[0]?.ptsMs ?? 0) <= frame.ptsMs) this.#inside.shift();
    this.#options.onFrame(frame, output);
  }

  #onSourceClock(frame: MediaFrame): MediaFrame {
    const shiftMs = this.#shiftMs ?? 0;
    return { ...frame, dtsMs: frame.dtsMs - shiftMs, ptsMs: frame.ptsMs - shiftMs };
  }
}
