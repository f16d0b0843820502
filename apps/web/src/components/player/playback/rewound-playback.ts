import type Hls from 'hls.js';
import type { HlsConfig, LevelDetails } from 'hls.js';
import type { PlayerFailure } from '../session/player-failure.ts';
import { filePlayback } from './file-playback.ts';
import { toHlsFailure } from './hls-playback.ts';
import { type OpenPlayback, type Playback, PlaybackError, type PlaybackRequest } from './playback.ts';

/** Keeps the position that the viewer chose, and what was just seen, to jump back at once. */
const settings: Partial<HlsConfig> = {
  enableWorker: true,
  maxBufferLength: 20,
  backBufferLength: 60,
  liveSyncDurationCount: 2,
  maxLiveSyncPlaybackRate: 1,
  liveDurationInfinity: true,
};

/** Plays the past of a live stream from the date that `at` returns when it is opened, also after an interruption. */
export function openRewoundHls(at: () => number): OpenPlayback {
  return async (request) => {
    const { default: Library } = await import('hls.js');
    request.signal.throwIfAborted();
    if (!Library.isSupported()) return openNative(request, at());
    const { default: workerPath } = await import('hls.js/dist/hls.worker.js?url');
    request.signal.throwIfAborted();
    return new RewoundPlayback(Library, new Library({ ...settings, workerPath }), request, at());
  };
}

class RewoundPlayback implements Playback {
  readonly #hls: Hls;
  readonly #video: HTMLVideoElement;
  /** Date that was asked for last, until its picture is there. */
  #wantedMs: number | undefined;
  #hasStarted = false;
  #hasRecovered = false;

  constructor(library: typeof Hls, hls: Hls, { video, url, events }: PlaybackRequest, startMs: number) {
    this.#hls = hls;
    this.#video = video;
    this.#wantedMs = startMs;
    const onFailure = (failure: PlayerFailure) => events.onFailure(failure);
    hls.on(library.Events.LEVEL_LOADED, (_event, { details }) => this.#start(details));
    hls.on(library.Events.ERROR, (_event, data) => {
      if (!data.fatal) return;
      const failure = toHlsFailure(library, data);
      if (data.type === library.ErrorTypes.MEDIA_ERROR && failure.kind === 'network' && !this.#hasRecovered) {
        this.#hasRecovered = true;
        hls.recoverMediaError();
      } else onFailure(failure);
    });
    hls.loadSource(url);
    hls.attachMedia(video);
  }

  measure() {
    return {};
  }

  /** Date of the picture; of the wanted one until it is there. */
  dateMs(): number | undefined {
    const { seeking, readyState, HAVE_CURRENT_DATA, currentTime } = this.#video;
    if (this.#hasStarted && !seeking && readyState >= HAVE_CURRENT_DATA) this.#wantedMs = undefined;
    const details = this.#hls.latestLevelDetails;
    return this.#wantedMs ?? (details ? dateOf(details, currentTime) : undefined);
  }

  /** For subtitles, which are on the stream's clock. */
  positionMs(edgeMs: number): number | undefined {
    const details = this.#hls.latestLevelDetails;
    const dateMs = this.dateMs();
    const last = details?.fragments.at(-1);
    if (!details || dateMs === undefined || !last?.programDateTime) return undefined;
    return edgeMs - (last.programDateTime + 1000 * (last.duration + details.age) - dateMs);
  }

  seekToDate(dateMs: number): void {
    this.#wantedMs = dateMs;
    const details = this.#hls.latestLevelDetails;
    if (!details || !this.#hasStarted) return;
    const position = positionOf(details, dateMs);
    // Without any media the element has no position to change.
    if (this.#video.readyState === this.#video.HAVE_NOTHING) this.#hls.startLoad(position);
    else this.#video.currentTime = position;
  }

  /** Continues after a pause where it was. */
  seekToLive(): void {}

  close(): void {
    this.#hls.destroy();
  }

  #start(details: LevelDetails): void {
    if (this.#hasStarted || this.#wantedMs === undefined || details.fragments.length === 0) return;
    this.#hasStarted = true;
    this.#hls.startLoad(positionOf(details, this.#wantedMs));
  }
}

/**
 * Position of a date in the media, within what is kept. There may be gaps between pieces. Closer to the end of a live stream the video would
 * stop for each next piece.
 */
export function positionOf({ fragments, edge, targetduration, live }: LevelDetails, dateMs: number): number {
  const first = fragments[0];
  const found = fragments.findLast(({ programDateTime }) => (programDateTime ?? Number.POSITIVE_INFINITY) <= dateMs);
  if (!found) return first?.start ?? 0;
  const within = (dateMs - (found.programDateTime ?? dateMs)) / 1000;
  const last = Math.max(first?.start ?? 0, live ? edge - 2 * targetduration : edge - 0.5);
  return Math.min(found.start + Math.min(within, found.duration), last);
}

/** Date of a position in the media; undefined without dates. */
export function dateOf({ fragments }: Pick<LevelDetails, 'fragments'>, position: number): number | undefined {
  const found = fragments.findLast(({ start }) => start <= position) ?? fragments[0];
  if (!found?.programDateTime) return undefined;
  return found.programDateTime + 1000 * (position - found.start);
}

/** Browsers with their own HLS know the date of the beginning. */
type DatedVideo = HTMLVideoElement & { getStartDate?: () => Date };

function openNative(request: PlaybackRequest, startMs: number): Playback {
  const video: DatedVideo = request.video;
  if (video.canPlayType('application/vnd.apple.mpegurl') === '') throw new PlaybackError({ kind: 'unsupported' });
  const beginMs = () => video.getStartDate?.().getTime() ?? Number.NaN;
  const seekToDate = (dateMs: number) => {
    if (!Number.isNaN(beginMs())) video.currentTime = Math.max(0, (dateMs - beginMs()) / 1000);
  };
  const begun = new AbortController();
  video.addEventListener('loadedmetadata', () => seekToDate(startMs), { once: true, signal: begun.signal });
  const playback = filePlayback(request, { isLive: false });
  return {
    measure: () => ({}),
    dateMs: () => (Number.isNaN(beginMs()) ? undefined : beginMs() + video.currentTime * 1000),
    seekToDate,
    seekToLive: () => undefined,
    close: () => {
      begun.abort();
      playback.close();
    },
  };
}
