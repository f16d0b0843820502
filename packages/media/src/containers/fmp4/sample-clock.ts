import { parseAudioSpecificConfig } from '../../codecs/aac.ts';
import { parseMp3Header } from '../../codecs/mp3.ts';
import { opusPacketSamples } from '../../codecs/opus.ts';
import type { AudioConfig, MediaFrame, VideoConfig } from '../../frame.ts';

/** Sample times of a fragment: the first decode time and each duration, in the track's timescale. */
export interface SampleTimes {
  readonly start: number;
  readonly durations: readonly number[];
}

export interface SampleClock {
  /** `nextDtsMs` is the time of the frame that follows the last one, where it is known. */
  times(frames: readonly MediaFrame[], nextDtsMs: number | undefined): SampleTimes;
}

/** Video lasts until the next picture. Where none is known, as long as the one before. */
export class VideoSampleClock implements SampleClock {
  readonly #timescale: number;
  #lastDuration: number;

  constructor(config: VideoConfig, timescale: number) {
    this.#timescale = timescale;
    this.#lastDuration = Math.round(timescale / (config.fps || 30));
  }

  times(frames: readonly MediaFrame[], nextDtsMs: number | undefined): SampleTimes {
    const start = ticks(frames[0]?.dtsMs ?? 0, this.#timescale);
    const durations: number[] = [];
    let at = start;
    for (let index = 0; index < frames.length; index++) {
      const next = frames[index + 1]?.dtsMs ?? nextDtsMs;
      const end = next === undefined ? at + this.#lastDuration : Math.max(at, ticks(next, this.#timescale));
      // A pause in the stream is no measure for the pictures after it.
      if (end > at && end - at <= this.#timescale) this.#lastDuration = end - at;
      durations.push(end - at);
      at = end;
    }
    return { start, durations };
  }
}

/**
 * Sound is continuous: frames follow one another without a gap as long as their times agree with that to within half a
 * frame. RTMP rounds times to milliseconds, and players click at every gap those would leave.
 */
export class AudioSampleClock implements SampleClock {
  readonly #timescale: number;
  readonly #config: AudioConfig;
  readonly #aacSamples: number;
  #expected: number | undefined;

  constructor(config: AudioConfig, timescale: number) {
    this.#config = config;
    this.#timescale = timescale;
    this.#aacSamples = config.codec === 'aac' ? parseAudioSpecificConfig(config.record).frameSamples : 1024;
  }

  times(frames: readonly MediaFrame[], nextDtsMs: number | undefined): SampleTimes {
    const [first] = frames;
    if (!first) return { start: 0, durations: [] };
    const start = this.#alignToExpected(this.#expected, first.dtsMs, this.#samplesOf(first));
    const durations: number[] = [];
    let at = start;
    for (const [index, frame] of frames.entries()) {
      const samples = this.#samplesOf(frame);
      const next = frames[index + 1]?.dtsMs ?? nextDtsMs;
      const end = next === undefined ? at + samples : Math.max(at, this.#alignToExpected(at + samples, next, samples));
      durations.push(end - at);
      at = end;
    }
    this.#expected = at;
    return { start, durations };
  }

  /** The expected position, unless the time of the frame is really another one. */
  #alignToExpected(expected: number | undefined, dtsMs: number, frameSamples: number): number {
    const announced = ticks(dtsMs, this.#timescale);
    return expected !== undefined && Math.abs(announced - expected) * 2 <= frameSamples ? expected : announced;
  }

  #samplesOf(frame: MediaFrame): number {
    if (this.#config.codec === 'opus') return opusPacketSamples(frame.payload);
    if (this.#config.codec === 'mp3') return parseMp3Header(frame.payload)?.frameSamples ?? 1152;
    return this.#aacSamples;
  }
}

/** Decode times are unsigned in MP4; what lies before zero begins at zero. */
function ticks(ms: number, timescale: number): number {
  return Math.max(0, Math.round((ms * timescale) / 1000));
}
