import type { CaptionEvent, CaptionFeed } from '../captions/cue-event-feed.ts';
import type { PlayerFailure } from '../session/player-failure.ts';

/** Metrics that depend on the protocol; the rest is read from the video element. */
export interface PlaybackMetrics {
  /** Delay behind the live edge. */
  readonly delayMs?: number | undefined;
  readonly bitrateKbps?: number | undefined;
  readonly videoCodec?: string | undefined;
  readonly audioCodec?: string | undefined;
  /** WebRTC only, like the next two. */
  readonly roundTripMs?: number | undefined;
  readonly jitterMs?: number | undefined;
  readonly lossPercent?: number | undefined;
  /** The server sends keyframes only, because the connection is too slow. */
  readonly isKeyframesOnly?: boolean | undefined;
  /** Names of the video qualities, best first; absent where there is one. */
  readonly qualities?: readonly string[] | undefined;
  /** Increases while media arrives; defaults to the element's own clock. */
  readonly progress?: number | undefined;
}

export interface PlaybackEvents {
  onFailure(failure: PlayerFailure): void;
}

/** One attempt to play one URL in one video element. */
export interface Playback {
  measure(): PlaybackMetrics | Promise<PlaybackMetrics>;
  /**
   * Playback position on the stream's clock, as exactly as the protocol allows. `edgeMs` is the approximate live edge. Live streams only.
   */
  positionMs?(edgeMs: number): number | undefined;
  /** Subtitles inside the media, timed like `positionMs`. */
  listen?(onEvent: (event: CaptionEvent) => void): CaptionFeed | undefined;
  /** Plays this quality only; without a name the player or the server chooses. Absent where another address is needed for it. */
  chooseQuality?(name: string | undefined): void;
  /** Date of the picture, of a playback that is not live. */
  dateMs?(): number | undefined;
  seekToDate?(dateMs: number): void;
  /** Called after a pause: live means now. */
  seekToLive(): void;
  close(): void;
}

export interface PlaybackRequest {
  readonly video: HTMLVideoElement;
  readonly url: string;
  readonly events: PlaybackEvents;
  /** Aborted if the viewer leaves before the playback is open. */
  readonly signal: AbortSignal;
}

export type OpenPlayback = (request: PlaybackRequest) => Promise<Playback>;

/** Thrown while opening if the cause is known. */
export class PlaybackError extends Error {
  readonly failure: PlayerFailure;

  constructor(failure: PlayerFailure) {
    super(failure.detail ?? failure.kind);
    this.failure = failure;
  }
}

/** Buffered media ahead of the current frame. */
export function readBufferedSeconds(video: HTMLVideoElement): number | undefined {
  const { buffered, currentTime } = video;
  return buffered.length === 0 ? undefined : Math.max(0, buffered.end(buffered.length - 1) - currentTime);
}

export function seekToEdge(video: HTMLVideoElement, keepSeconds: number): void {
  const ahead = readBufferedSeconds(video);
  if (ahead !== undefined && ahead > keepSeconds) video.currentTime += ahead - keepSeconds;
}
