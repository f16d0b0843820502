import type Hls from 'hls.js';
import type { LevelDetails } from 'hls.js';
import { readBufferedSeconds } from './playback.ts';

/** Media left to play below which it is about to stall. */
const lowSeconds = 0.35;
/** Time without a loaded part until one is skipped; doubled while that does not help. */
const patienceMs = 800;
/** Times in playlists and buffers differ by rounding. */
const nearSeconds = 0.05;

/**
 * Keeps low-latency HLS loading. hls.js 1.7 sometimes loads no further part for five seconds when a part arrives just before the playlist that
 * completes its segment, which happens on links with loss. A seek to the next part from which decoders can start makes it go on.
 */
export class LoadWatchdog {
  readonly #video: HTMLVideoElement;
  #loadedAtMs = performance.now();
  #patienceMs = patienceMs;

  constructor({ Events }: typeof Hls, hls: Hls, video: HTMLVideoElement) {
    this.#video = video;
    hls.on(Events.FRAG_LOADED, () => {
      this.#loadedAtMs = performance.now();
      this.#patienceMs = patienceMs;
    });
    // Comes with every part.
    hls.on(Events.LEVEL_UPDATED, (_event, { details }) => this.#onPlaylist(details, performance.now()));
  }

  #onPlaylist({ partList }: LevelDetails, nowMs: number): void {
    const { paused, seeking, currentTime } = this.#video;
    const aheadSeconds = readBufferedSeconds(this.#video);
    if (paused || seeking || aheadSeconds === undefined || aheadSeconds > lowSeconds) return;
    if (nowMs - this.#loadedAtMs < this.#patienceMs) return;
    const end = currentTime + aheadSeconds;
    const next = partList?.find(({ start, independent }) => independent && start > end - nearSeconds);
    if (!next) return;
    this.#loadedAtMs = nowMs;
    this.#patienceMs *= 2;
    this.#video.currentTime = Math.max(next.start, end) + nearSeconds;
  }
}
