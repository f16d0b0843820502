/** Playback of a client from its first frame on, for `watchSeconds`. */
export interface Outcome {
  readonly frames: number;
  /**
   * Seconds of audio that were decoded; in a browser, seconds in which the tone was heard. Undefined in a browser whose
   * audio clock does not run on a machine without an audio device.
   */
  readonly audioSeconds?: number;
  /** Frames that came much later than the mean distance of two, and the time the picture stood still for them. */
  readonly freezes: number;
  readonly frozenMs: number;
  /** Time from the start of the client to its first frame. */
  readonly startMs?: number;
  /** Error of the client, in its own words. */
  readonly error?: string;
}

export const watchSeconds = 8;
const framesPerSecond = 25;

export const failed = (error: string): Outcome => ({
  frames: 0,
  audioSeconds: 0,
  freezes: 0,
  frozenMs: 0,
  error: error.slice(0, 160),
});

/** Frames and audio of a client with the times at which it announced them. */
export class PlaybackLog {
  readonly #beganMs = performance.now();
  readonly #frameTimes: number[] = [];
  readonly #audio: { readonly atMs: number; readonly seconds: number }[] = [];

  addFrame(atMs: number = performance.now()): void {
    this.#frameTimes.push(atMs);
  }

  /** Frames of a client that only counts: spread evenly over the time since the last count. */
  addFrames(count: number, sinceMs: number): void {
    const now = performance.now();
    for (let n = 1; n <= count; n++) this.addFrame(sinceMs + ((now - sinceMs) * n) / count);
  }

  addAudio(seconds: number): void {
    this.#audio.push({ atMs: performance.now(), seconds });
  }

  /** True when everything that is judged has been seen. */
  get isComplete(): boolean {
    const [first] = this.#frameTimes;
    return first !== undefined && performance.now() - first >= watchSeconds * 1000;
  }

  outcome(lastLine: string): Outcome {
    const audioSeconds = (untilMs: number) =>
      this.#audio.reduce((sum, { atMs, seconds }) => (atMs <= untilMs ? sum + seconds : sum), 0);
    const [first] = this.#frameTimes;
    if (first === undefined)
      return { ...failed(lastLine), audioSeconds: round(audioSeconds(Number.POSITIVE_INFINITY)) };
    const endMs = first + watchSeconds * 1000;
    const times = this.#frameTimes.filter((atMs) => atMs <= endMs);
    return {
      frames: times.length,
      audioSeconds: round(audioSeconds(endMs)),
      ...findFreezes(times),
      startMs: Math.round(first - this.#beganMs),
    };
  }
}

const round = (seconds: number) => Math.round(seconds * 10) / 10;

/** Freezes as WebRTC's statistics define them: gaps above three times the mean and above the mean and 150 ms. */
function findFreezes(times: readonly number[]): { freezes: number; frozenMs: number } {
  const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] ?? atMs));
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / Math.max(1, gaps.length);
  const long = gaps.filter((gap) => gap > Math.max(3 * mean, mean + 150));
  return { freezes: long.length, frozenMs: Math.round(long.reduce((sum, gap) => sum + gap, 0)) };
}

/** Word for a cell of the table. Clients and the encoder share two cores with the product, so a tenth of the frames may be missing. */
export function describeOutcome({ frames, audioSeconds, frozenMs }: Outcome): string {
  const video = frames / (watchSeconds * framesPerSecond);
  const audio = audioSeconds === undefined ? 1 : audioSeconds / watchSeconds;
  if (video < 0.1) return audioSeconds !== undefined && audio > 0.1 ? 'audio only' : 'no';
  return [
    video < 0.9 ? `${Math.round(video * 100)} % of the frames` : 'yes',
    audioSeconds === undefined && 'audio not measured',
    audio < 0.1 && 'no audio',
    audio >= 0.1 && audio < 0.85 && `${Math.round(audio * 100)} % of the audio`,
    frozenMs >= 500 && `frozen ${(frozenMs / 1000).toFixed(1)} s`,
  ]
    .filter((word) => word !== false)
    .join(', ');
}
