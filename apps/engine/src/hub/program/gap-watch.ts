import type { ProtocolGap } from '@weir/engine-api';
import type { Packager } from '../packager.ts';
import type { FrameSource } from '../stream.ts';

type Protocol = ProtocolGap['protocol'];

/** Ends of the newest segment and part of the stream's HLS, on the stream's clock; 0 before the first. */
export interface HlsEnds {
  readonly segmentMs: number;
  readonly partMs: number;
}

interface Options {
  /** Watched outputs: one for RTMP, HTTP-FLV and SRT, one for WebRTC. */
  readonly classic: FrameSource;
  readonly webrtc: FrameSource;
  readonly hlsEnds: () => HlsEnds;
  readonly nowMs: () => number;
}

/** Longest pause between pieces of video in one protocol, less the duration of a piece. */
class LongestPause {
  #atMs: number | undefined;
  #endMs = 0;
  #pieces = 0;
  longestMs = 0;

  /** True once a second piece has come. */
  get isKnown(): boolean {
    return this.#pieces > 1;
  }

  /** `endMs`: where the newest piece ends on the stream's clock; constant where only the time between frames counts. */
  add(nowMs: number, endMs = 0): void {
    const lastsMs = Math.max(0, endMs - this.#endMs);
    if (this.#atMs !== undefined) this.longestMs = Math.max(this.longestMs, nowMs - this.#atMs - lastsMs);
    this.#atMs = nowMs;
    this.#endMs = endMs;
    this.#pieces += 1;
  }

  /** Notes the end of the newest piece. Repeating the same end has no effect. */
  reach(nowMs: number, endMs: number): void {
    if (endMs > this.#endMs) this.add(nowMs, endMs);
  }

  /** Counts the time since the last frame as a gap. */
  stop(nowMs: number): void {
    if (this.#atMs !== undefined) this.longestMs = Math.max(this.longestMs, nowMs - this.#atMs);
  }
}

/**
 * Pauses in the video of a program, as it leaves the engine by each protocol, while a failure is rehearsed. Of HLS the length of a piece
 * does not count, since players have that much in their buffer, but a hole on the stream's clock does.
 */
export class GapWatch {
  readonly #options: Options;
  readonly #frames = new LongestPause();
  readonly #browserFrames = new LongestPause();
  readonly #segments = new LongestPause();
  readonly #parts = new LongestPause();
  readonly #detach: readonly (() => void)[];
  #lastMs: number | undefined;
  /** Longest step on the stream's clock, for which players with a buffer show one picture. */
  #holeMs = 0;
  #isClosed = false;

  constructor(options: Options) {
    this.#options = options;
    const { classic, webrtc } = options;
    this.#detach = [
      this.#watch(classic, this.#frames, (dtsMs) => this.#note(dtsMs)),
      this.#watch(webrtc, this.#browserFrames),
    ];
    this.look();
  }

  /** Called every few milliseconds, because HLS has no event. */
  look(): void {
    if (this.#isClosed) return;
    const nowMs = this.#options.nowMs();
    const { segmentMs, partMs } = this.#options.hlsEnds();
    this.#segments.reach(nowMs, segmentMs);
    this.#parts.reach(nowMs, partMs);
  }

  /** Gaps of the protocols that sent anything. */
  get gaps(): readonly ProtocolGap[] {
    const all: readonly [Protocol, LongestPause, leastMs?: number][] = [
      ['rtmp', this.#frames],
      ['flv', this.#frames],
      ['srt', this.#frames],
      ['whep', this.#browserFrames],
      ['ll-hls', this.#parts, this.#holeMs],
      ['hls', this.#segments, this.#holeMs],
    ];
    return all.flatMap(([protocol, pause, leastMs = 0]) =>
      pause.isKnown ? [{ protocol, gapMs: Math.round(Math.max(leastMs, pause.longestMs)) }] : [],
    );
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const nowMs = this.#options.nowMs();
    for (const pause of [this.#frames, this.#browserFrames]) pause.stop(nowMs);
    for (const detach of this.#detach) detach();
  }

  #note(dtsMs: number): void {
    this.#holeMs = Math.max(this.#holeMs, dtsMs - (this.#lastMs ?? dtsMs));
    this.#lastMs = dtsMs;
  }

  #watch(source: FrameSource, pause: LongestPause, onVideo?: (dtsMs: number) => void): () => void {
    const packager: Packager = {
      onConfig: () => undefined,
      onFrame: ({ kind, dtsMs }) => {
        if (kind !== 'video') return;
        pause.add(this.#options.nowMs());
        onVideo?.(dtsMs);
      },
      onDiscontinuity: () => undefined,
      close: () => undefined,
    };
    source.attach(packager);
    return () => source.detach(packager);
  }
}
