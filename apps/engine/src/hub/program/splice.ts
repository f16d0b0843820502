import { type AudioConfig, MalformedMedia, type MediaFrame, parseAudioSpecificConfig } from '@weir/media';

/** Smallest step of RTMP timestamps. */
const smallestStepMs = 1;

interface Cut {
  /** Time of the first picture; undefined for an input without pictures. */
  readonly keyframe: Pick<MediaFrame, 'dtsMs' | 'ptsMs'> | undefined;
  /** Added to a time of the input gives its place on the clock of the program. */
  readonly offsetMs: number;
  readonly intervalMs: number;
}

/** Compressed timeline of the first frames of a cached group, which belong before the last sent one. */
interface Press {
  readonly fromMs: number;
  readonly startMs: number;
  readonly slope: number;
  /** Input time from which frames have their real place. */
  readonly joinMs: number;
}

/**
 * Joins two inputs on one clock. Audio and video of an input get the same offset, so that they stay in sync. Late frames are squeezed
 * into the smallest time steps: decoders need all of them, and none is visible.
 */
export class Splice {
  #offsetMs = 0;
  #press: Press | undefined;
  #firstMs = Number.NEGATIVE_INFINITY;
  #lastVideoMs = Number.NEGATIVE_INFINITY;
  #highestPtsMs = Number.NEGATIVE_INFINITY;
  #audioEndMs = Number.NEGATIVE_INFINITY;
  #isAudioJoined = false;
  /** Number of late pictures that were squeezed behind the sent ones. */
  pressed = 0;

  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** Decode time of the last sent picture. */
  get lastVideoMs(): number {
    return this.#lastVideoMs;
  }

  get highestPtsMs(): number {
    return this.#highestPtsMs;
  }

  /** End of the last audio that was sent. */
  get audioEndMs(): number {
    return this.#audioEndMs;
  }

  get hasBegun(): boolean {
    return this.#lastVideoMs > Number.NEGATIVE_INFINITY || this.#audioEndMs > Number.NEGATIVE_INFINITY;
  }

  cut({ keyframe, offsetMs, intervalMs }: Cut): void {
    this.#offsetMs = offsetMs;
    this.#isAudioJoined = false;
    this.#press = undefined;
    this.#firstMs = keyframe?.dtsMs ?? Number.NEGATIVE_INFINITY;
    if (!keyframe) return;
    const ownMs = keyframe.dtsMs + offsetMs;
    const afterShown = this.#highestPtsMs + smallestStepMs - (keyframe.ptsMs - keyframe.dtsMs);
    const startMs = Math.max(ownMs, this.#lastVideoMs + smallestStepMs, afterShown);
    // Audio from before the first picture is left out.
    if (this.#audioEndMs === Number.NEGATIVE_INFINITY) this.#audioEndMs = startMs;
    if (startMs <= ownMs) return;
    const slope = Math.min(0.5, smallestStepMs / Math.max(smallestStepMs, intervalMs));
    const joinMs = keyframe.dtsMs + (startMs - ownMs) / (1 - slope);
    this.#press = { fromMs: keyframe.dtsMs, startMs, slope, joinMs };
  }

  /** Places a picture; undefined for one from before the cut. */
  video(frame: MediaFrame): MediaFrame | undefined {
    if (frame.dtsMs < this.#firstMs) return undefined;
    const placed = { ...frame, dtsMs: this.#map(frame.dtsMs), ptsMs: this.#map(frame.ptsMs) };
    if (this.#press && frame.dtsMs < this.#press.joinMs) this.pressed += 1;
    this.#sent(placed);
    return placed;
  }

  /** Places audio; undefined if it overlaps sent audio. Audio is never squeezed, since that would be audible. */
  audio(frame: MediaFrame, lengthMs: number): MediaFrame | undefined {
    const dtsMs = frame.dtsMs + this.#offsetMs;
    const leastMs = this.#isAudioJoined ? this.#audioEndMs - lengthMs : this.#audioEndMs - lengthMs / 2;
    if (dtsMs < leastMs) return undefined;
    this.#isAudioJoined = true;
    this.#audioEndMs = dtsMs + lengthMs;
    return { ...frame, dtsMs, ptsMs: frame.ptsMs + this.#offsetMs };
  }

  /** Places a picture of a slate on the clock of the program. */
  filledVideo(frame: MediaFrame): void {
    this.#sent(frame);
  }

  /** Places audio of a slate where the last audio ended, and returns its time. */
  filledAudio(lengthMs: number): number {
    const dtsMs = this.#audioEndMs;
    this.#audioEndMs += lengthMs;
    return dtsMs;
  }

  /** Sets the earliest time for further audio of a slate. */
  beginAudio(ms: number): void {
    if (this.#audioEndMs === Number.NEGATIVE_INFINITY) this.#audioEndMs = ms;
  }

  #map(ms: number): number {
    const press = this.#press;
    return press && ms < press.joinMs ? press.startMs + (ms - press.fromMs) * press.slope : ms + this.#offsetMs;
  }

  #sent({ dtsMs, ptsMs }: MediaFrame): void {
    if (dtsMs > this.#lastVideoMs) this.#lastVideoMs = dtsMs;
    if (ptsMs > this.#highestPtsMs) this.#highestPtsMs = ptsMs;
  }
}

/** Length of one audio frame. */
export function audioFrameMs({
  codec,
  sampleRate,
  record,
}: Pick<AudioConfig, 'codec' | 'sampleRate' | 'record'>): number {
  if (codec === 'opus') return 20;
  if (codec === 'mp3') return ((sampleRate < 32_000 ? 576 : 1152) * 1000) / Math.max(1, sampleRate);
  return (aacSamples(record) * 1000) / Math.max(1, sampleRate);
}

function aacSamples(record: Buffer): number {
  try {
    return parseAudioSpecificConfig(record).frameSamples;
  } catch (error) {
    if (!(error instanceof MalformedMedia)) throw error;
    return 1024;
  }
}
