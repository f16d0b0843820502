import { MalformedMedia, type MediaFrame, MpegTsMuxer, mpegTsCarries, type TrackConfig } from '@weir/media';

/** Seven packets of MPEG-TS: what SRT sends in one message. */
export const messageBytes = 1316;

/** Batch of messages of whole packets; all players share the buffers. */
export interface TsBatch {
  readonly messages: readonly Buffer[];
  readonly bytes: number;
  readonly frames: number;
  /** Number of video frames among the frames. */
  readonly videoFrames: number;
  /** Messages of the same without its video, for a player whose line is too narrow for them. */
  readonly audio: readonly Buffer[];
  /** True if it begins with the tables and a keyframe, so that a player can start or continue with it. */
  readonly isEntry: boolean;
}

/** Tables come with each keyframe, and in between for receivers that look for them. */
const tablesEveryMs = 500;
const mostCachedBytes = 16 * 1024 * 1024;
const nothing = Buffer.alloc(0);

/** Batch whose audio is gathered on first use. */
class Batch implements TsBatch {
  readonly messages: readonly Buffer[];
  readonly bytes: number;
  readonly frames: number;
  readonly videoFrames: number;
  readonly isEntry: boolean;
  readonly #audioParts: readonly Buffer[];
  #audio: readonly Buffer[] | undefined;

  constructor(
    bytes: Buffer,
    about: Pick<TsBatch, 'frames' | 'videoFrames' | 'isEntry'>,
    audioParts: readonly Buffer[],
  ) {
    this.messages = cut(bytes);
    this.bytes = bytes.length;
    this.frames = about.frames;
    this.videoFrames = about.videoFrames;
    this.isEntry = about.isEntry;
    this.#audioParts = audioParts;
  }

  get audio(): readonly Buffer[] {
    this.#audio ??= cut(Buffer.concat(this.#audioParts));
    return this.#audio;
  }
}

/** One stream as MPEG-TS, cut into batches; keeps those since the last entry for players that join. */
export class TsBatches {
  readonly #muxer = new MpegTsMuxer();
  readonly #onBatch: (batch: TsBatch) => void;
  #hasVideo = false;
  #parts: Buffer[] = [];
  #bytes = 0;
  #frames = 0;
  #videoFrames = 0;
  /** Parts without video: audio and the tables. */
  #audioParts: Buffer[] = [];
  #isEntry = false;
  #tablesAtMs = Number.NEGATIVE_INFINITY;
  #cached: TsBatch[] = [];
  #cachedBytes = 0;

  constructor(onBatch: (batch: TsBatch) => void) {
    this.#onBatch = onBatch;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** From the last entry on. Empty while there is none that could be kept. */
  get cached(): readonly TsBatch[] {
    return this.#cached;
  }

  config(config: TrackConfig): void {
    if (config.kind === 'video') {
      // Pictures that MPEG-TS has no place for are not waited for.
      this.#hasVideo = mpegTsCarries(config.codec);
      this.clearCache();
    }
    this.#muxer.setConfig(config);
    this.#tablesAtMs = Number.NEGATIVE_INFINITY;
  }

  frame(frame: MediaFrame): void {
    const isKeyframe = this.#hasVideo && frame.kind === 'video' && frame.isKeyframe;
    // A keyframe begins a batch, because players that fell behind continue with a whole batch.
    if (isKeyframe) this.flush();
    const isDue = Math.abs(frame.dtsMs - this.#tablesAtMs) >= tablesEveryMs;
    if (isKeyframe || isDue) {
      if (!this.#hasVideo) this.flush();
      if (this.#bytes === 0) this.#isEntry = isKeyframe || !this.#hasVideo;
      this.#add(this.#muxer.tables(), false);
      this.#tablesAtMs = frame.dtsMs;
    }
    const packets = this.#mux(frame);
    if (packets.length === 0) return;
    const isPicture = frame.kind === 'video';
    this.#add(packets, isPicture);
    this.#frames += 1;
    if (isPicture) this.#videoFrames += 1;
  }

  /** A frame that MPEG-TS has no form for is left out: players of other protocols may still get it. */
  #mux(frame: MediaFrame): Buffer {
    try {
      return this.#muxer.frame(frame);
    } catch (error) {
      if (!(error instanceof MalformedMedia)) throw error;
      return nothing;
    }
  }

  /** Turns the gathered packets into a batch. */
  flush(): void {
    if (this.#bytes === 0) return;
    const bytes = Buffer.concat(this.#parts, this.#bytes);
    const about = { frames: this.#frames, videoFrames: this.#videoFrames, isEntry: this.#isEntry };
    const batch = new Batch(bytes, about, this.#audioParts);
    this.#parts = [];
    this.#audioParts = [];
    this.#bytes = 0;
    this.#frames = 0;
    this.#videoFrames = 0;
    this.#isEntry = false;
    this.#keep(batch);
    this.#onBatch(batch);
  }

  /** Drops the cache when the next packets cannot be decoded with it. */
  clearCache(): void {
    this.#cached = [];
    this.#cachedBytes = 0;
  }

  #add(packets: Buffer, isPicture: boolean): void {
    this.#parts.push(packets);
    if (!isPicture) this.#audioParts.push(packets);
    this.#bytes += packets.length;
  }

  #keep(batch: TsBatch): void {
    if (batch.isEntry) this.clearCache();
    else if (this.#cached.length === 0) return;
    this.#cached.push(batch);
    this.#cachedBytes += batch.bytes;
    if (this.#cachedBytes > mostCachedBytes) this.clearCache();
  }
}

function cut(bytes: Buffer): Buffer[] {
  const messages: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += messageBytes) messages.push(bytes.subarray(at, at + messageBytes));
  return messages;
}
