import { toErrorMessage } from '../../../lib/errors/error-message.ts';
import type { CaptionEvent, CaptionFeed } from '../captions/cue-event-feed.ts';
import { type OpenPlayback, type Playback, PlaybackError } from '../playback/playback.ts';
import { VideoMeter } from '../playback/video-meter.ts';
import { mayOutlivePermission, readRefusal } from './play-refusal.ts';
import { isTransientFailure, mayOtherSourceWork, type PlayerFailure, retryAfterMs } from './player-failure.ts';
import type { PlayerSource, SourceKind } from './player-source.ts';
import { idleState, type PlayerState } from './player-state.ts';

/** No progress for this long means a dead connection. */
const deadAfterMs = 8000;
/** A paused live stream is disconnected after this time. */
const dropPausedAfterMs = 10_000;
const tickMs = 1000;
/** Extra delay after the page was hidden that no longer counts as live. */
const sleptMs = 3000;

interface Options {
  readonly video: HTMLVideoElement;
  /** In order of preference: the next one is tried if this browser cannot play one. */
  readonly sources: readonly PlayerSource[];
  readonly open: Record<SourceKind, OpenPlayback>;
  readonly isMuted: boolean;
  readonly onChange: (state: PlayerState) => void;
}

/**
 * Keeps a video element playing: opens a source, falls back to the next one, waits for a stream that is not live, and reconnects when its
 * publisher returns.
 */
export class PlayerSession {
  readonly #options: Options;
  readonly #video: HTMLVideoElement;
  readonly #meter: VideoMeter;
  readonly #listening = new AbortController();
  #state: PlayerState;
  #playback: Playback | undefined;
  #opening: AbortController | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #drop: ReturnType<typeof setTimeout> | undefined;
  readonly #ticking: ReturnType<typeof setInterval>;
  #index = 0;
  #attempt = 0;
  #wantsToPlay = true;
  #progress = { value: -1, atMs: 0 };
  /** Last delay while the page was visible. */
  #shownDelayMs: number | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#video = options.video;
    this.#meter = new VideoMeter(options.video);
    this.#state = { ...idleState, isMuted: options.isMuted };
    this.#video.muted = options.isMuted;
    const on = (event: string, listener: () => void) =>
      this.#video.addEventListener(event, listener, { signal: this.#listening.signal });
    on('playing', () => this.#onPlaying());
    on('waiting', () => this.#onWaiting());
    on('pause', () => this.#onPause());
    on('ended', () => this.#onEnded());
    on('volumechange', () => this.#change({ isMuted: this.#video.muted }));
    const { signal } = this.#listening;
    window.addEventListener('online', () => this.#onOnline(), { signal });
    document.addEventListener('visibilitychange', () => void this.#onShown(), { signal });
    this.#ticking = setInterval(() => this.#tick(), tickMs);
  }

  play(): void {
    this.#wantsToPlay = true;
    clearTimeout(this.#drop);
    if (!this.#playback) {
      this.#attempt = 0;
      this.#index = 0;
      this.#open();
      return;
    }
    this.#playback.seekToLive();
    this.#startVideo();
  }

  pause(): void {
    this.#wantsToPlay = false;
    if (!this.#playback) this.#stopTrying();
    this.#video.pause();
    this.#change({ phase: 'paused' });
    clearTimeout(this.#drop);
    this.#drop = setTimeout(() => this.#closePlayback(), dropPausedAfterMs);
  }

  setMuted(isMuted: boolean): void {
    this.#video.muted = isMuted;
    if (!isMuted && this.#video.volume === 0) this.#video.volume = 1;
  }

  /** Plays this quality only, or without a name what fits. */
  chooseQuality(quality: string | undefined): void {
    this.#change({ quality });
    if (this.#playback?.chooseQuality) this.#playback.chooseQuality(quality);
    else if (this.#playback) this.#open();
  }

  /** Playback position on the stream's clock; undefined if unknown. */
  positionMs(edgeMs: number): number | undefined {
    return this.#playback?.positionMs?.(edgeMs);
  }

  /** Date of the picture of a playback that is not live; undefined while it is not known. */
  dateMs(): number | undefined {
    return this.#playback?.dateMs?.();
  }

  seekToDate(dateMs: number): void {
    this.#playback?.seekToDate?.(dateMs);
  }

  /** Subtitles inside the media; undefined if there are none. */
  listen(onEvent: (event: CaptionEvent) => void): CaptionFeed | undefined {
    return this.#playback?.listen?.(onEvent);
  }

  close(): void {
    this.#listening.abort();
    clearInterval(this.#ticking);
    clearTimeout(this.#drop);
    this.#stopTrying();
    this.#closePlayback();
  }

  async #open(): Promise<void> {
    this.#stopTrying();
    this.#closePlayback();
    const source = this.#options.sources[this.#index];
    if (!source) return;
    const opening = new AbortController();
    this.#opening = opening;
    this.#meter.restart();
    this.#progress = { value: -1, atMs: performance.now() };
    // Retries while waiting do not change the visible state.
    if (this.#state.phase !== 'waiting') this.#change({ phase: 'loading', failure: undefined });
    this.#change({ source, needsGesture: false });
    const events = {
      onFailure: (failure: PlayerFailure) => {
        if (this.#opening === opening) this.#fail(failure);
      },
    };
    const url = source.kind === 'whep' ? withQuality(source.url, this.#state.quality) : source.url;
    const request = { video: this.#video, url, events, signal: opening.signal };
    try {
      const playback = await this.#options.open[source.kind](request);
      if (opening.signal.aborted) {
        playback.close();
        return;
      }
      this.#playback = playback;
      if (this.#state.quality !== undefined) playback.chooseQuality?.(this.#state.quality);
      this.#startVideo();
    } catch (error) {
      if (!opening.signal.aborted) this.#fail(toFailure(error));
    }
  }

  async #startVideo(): Promise<void> {
    try {
      await this.#video.play();
    } catch (error) {
      const name = error instanceof Error ? error.name : '';
      if (name !== 'NotAllowedError' || !this.#wantsToPlay) return;
      if (this.#video.muted) {
        this.#wantsToPlay = false;
        this.#change({ phase: 'paused', needsGesture: true });
        return;
      }
      // Autoplay with audio needs a user gesture; muted autoplay does not.
      this.#video.muted = true;
      await this.#startVideo();
    }
  }

  #fail(failure: PlayerFailure): void {
    this.#stopTrying();
    this.#closePlayback();
    const hasAnother = this.#index + 1 < this.#options.sources.length;
    if (mayOtherSourceWork(failure) && hasAnother) {
      this.#index += 1;
      this.#open();
      return;
    }
    if (failure.kind === 'refused' && failure.refusal === undefined) {
      this.#explain(failure);
      return;
    }
    if (!isTransientFailure(failure)) {
      this.#change({ phase: 'failed', failure });
      return;
    }
    const waitMs = retryAfterMs(this.#attempt, failure);
    // A retry without delay shows "loading", not "waiting".
    this.#change(waitMs === 0 ? { phase: 'loading', failure: undefined } : { phase: 'waiting', failure });
    this.#index = 0;
    this.#retry = setTimeout(() => this.#open(), waitMs);
    this.#attempt += 1;
  }

  /** Shows a refusal with the reason that the server gives. */
  async #explain(failure: PlayerFailure): Promise<void> {
    const source = this.#options.sources[this.#index];
    const opening = this.#opening;
    const refusal = source && (await readRefusal(source));
    if (this.#opening === opening) this.#change({ phase: 'failed', failure: { ...failure, refusal } });
  }

  /** Ends playback when the permission ends: browsers would play what they have loaded. */
  async #checkPermission(source: PlayerSource, playback: Playback): Promise<void> {
    const refusal = await readRefusal(source);
    if (refusal && playback === this.#playback) this.#fail({ kind: 'refused', refusal });
  }

  /** The network is back: retries at once. */
  #onOnline(): void {
    if (this.#state.phase !== 'waiting') return;
    this.#attempt = 0;
    this.#open();
  }

  /** A page that was hidden returns to the live edge. */
  async #onShown(): Promise<void> {
    const playback = this.#playback;
    if (document.hidden || !playback || !this.#wantsToPlay) return;
    const { delayMs } = await playback.measure();
    if (playback !== this.#playback || delayMs === undefined || this.#shownDelayMs === undefined) return;
    if (delayMs > this.#shownDelayMs + sleptMs) playback.seekToLive();
  }

  #onPlaying(): void {
    this.#attempt = 0;
    this.#wantsToPlay = true;
    this.#meter.onPlaying();
    this.#change({ phase: 'playing', failure: undefined, needsGesture: false });
  }

  #onWaiting(): void {
    if (this.#state.phase !== 'playing') return;
    this.#meter.onStall();
    this.#change({ phase: 'stalled' });
  }

  /** Also fires for the picture-in-picture window, headset keys and the system. */
  #onPause(): void {
    if (this.#state.phase === 'playing' || this.#state.phase === 'stalled') {
      if (this.#playback && !this.#video.ended) this.pause();
    }
  }

  #onEnded(): void {
    if (!this.#playback) return;
    if (Number.isFinite(this.#video.duration)) this.#change({ phase: 'ended' });
    else this.#fail({ kind: 'ended' });
  }

  async #tick(): Promise<void> {
    const playback = this.#playback;
    if (!playback) return;
    const measured = await playback.measure();
    if (playback !== this.#playback) return;
    if (!document.hidden) this.#shownDelayMs = measured.delayMs;
    const { source } = this.#state;
    if (source && mayOutlivePermission(source)) this.#checkPermission(source, playback);
    this.#change({ statistics: this.#meter.read(measured) });
    if (this.#state.phase === 'ended' || !this.#wantsToPlay || document.hidden) {
      this.#progress = { value: -1, atMs: performance.now() };
      return;
    }
    const value = measured.progress ?? this.#video.currentTime;
    if (value !== this.#progress.value) this.#progress = { value, atMs: performance.now() };
    else if (performance.now() - this.#progress.atMs > deadAfterMs) this.#fail({ kind: 'ended' });
  }

  #stopTrying(): void {
    clearTimeout(this.#retry);
    this.#opening?.abort();
    this.#opening = undefined;
  }

  #closePlayback(): void {
    const playback = this.#playback;
    this.#playback = undefined;
    playback?.close();
  }

  #change(part: Partial<PlayerState>): void {
    this.#state = { ...this.#state, ...part };
    if (!this.#listening.signal.aborted) this.#options.onChange(this.#state);
  }
}

function withQuality(address: string, quality: string | undefined): string {
  if (quality === undefined || !URL.canParse(address, location.href)) return address;
  const url = new URL(address, location.href);
  url.searchParams.set('quality', quality);
  return url.href;
}

/** Other failures, missing code included, count as network failures and are retried. */
function toFailure(error: unknown): PlayerFailure {
  if (error instanceof PlaybackError) return error.failure;
  return { kind: 'network', detail: toErrorMessage(error) };
}
