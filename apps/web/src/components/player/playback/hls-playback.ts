import { qualityName } from '@weir/streams';
import type Hls from 'hls.js';
import type { ErrorData, FragLoadedData, HlsConfig, Level, LevelDetails } from 'hls.js';
import { findCueAddress } from '../captions/cue-address.ts';
import type { CaptionEvent, CaptionFeed } from '../captions/cue-event-feed.ts';
import { HlsSubtitleFeed } from '../captions/hls-subtitle-feed.ts';
import { type PlayerFailure, toStatusFailure } from '../session/player-failure.ts';
import { CatchUpRate } from './catch-up-rate.ts';
import { filePlayback } from './file-playback.ts';
import { LoadWatchdog } from './load-watchdog.ts';
import {
  type OpenPlayback,
  type Playback,
  PlaybackError,
  type PlaybackRequest,
  readBufferedSeconds,
} from './playback.ts';
import { StallRecovery } from './stall-recovery.ts';

/** hls.js would change the speed several times a second near the live edge: `CatchUpRate` decides instead. */
const liveSettings: Partial<HlsConfig> = {
  enableWorker: true,
  lowLatencyMode: true,
  maxBufferLength: 8,
  maxMaxBufferLength: 10,
  backBufferLength: 10,
  maxLiveSyncPlaybackRate: 1,
  liveDurationInfinity: true,
};

/** Distance from the live edge in segments, for playlists that define none, and its maximum. */
const edgeSettings = { liveSyncDurationCount: 2, liveMaxLatencyDurationCount: 10 };

/** Low-latency playback this far behind its target seeks to the live edge: by speed it would take half a minute and more. */
const mostBehindSeconds = 5;

function limitLatency(config: HlsConfig, { partHoldBack }: LevelDetails): void {
  if (partHoldBack > 0) config.liveMaxLatencyDuration = partHoldBack + mostBehindSeconds;
  else delete config.liveMaxLatencyDuration;
}

const catchUpMs = 100;

/** Returns to the target latency by playing faster. A viewer further away than that by a segment has chosen an earlier position. */
function catchUp(library: typeof Hls, hls: Hls, video: HTMLVideoElement): void {
  const rate = new CatchUpRate();
  const timer = setInterval(() => {
    const { targetLatency, latency } = hls;
    const aheadSeconds = readBufferedSeconds(video);
    const details = hls.latestLevelDetails;
    const isPlaying = video.readyState >= 3 && !video.paused && !video.seeking;
    if (!isPlaying || !details?.live || targetLatency === null || aheadSeconds === undefined) {
      setRate(video, rate.reset());
      return;
    }
    const behindSeconds = latency - targetLatency;
    const isChosen = behindSeconds > targetLatency + details.targetduration;
    setRate(video, isChosen ? rate.reset() : rate.update({ nowMs: performance.now(), behindSeconds, aheadSeconds }));
  }, catchUpMs);
  hls.on(library.Events.DESTROYING, () => {
    clearInterval(timer);
    setRate(video, 1);
  });
}

function setRate(video: HTMLVideoElement, rate: number): void {
  if (video.playbackRate !== rate) video.playbackRate = rate;
}

/** Recordings start at the beginning, finished or growing, and are seekable throughout. */
const recordedSettings: Partial<HlsConfig> = { enableWorker: true, startPosition: 0, backBufferLength: 60 };

/** HLS and low-latency HLS: by hls.js if Media Source Extensions exist, else natively. */
export const openHls: OpenPlayback = (request) => {
  // Our own streams have a cue feed that is faster than subtitle segments; other playlists have only those.
  const isTold = findCueAddress({ kind: 'hls', url: request.url }, new URL(window.location.href)) !== undefined;
  const settings = { ...liveSettings, enableWebVTT: !isTold, renderTextTracksNatively: false };
  return open(request, { settings, isLive: true, subtitles: isTold ? 'told' : 'in the playlist' });
};

export const openRecordedHls: OpenPlayback = (request) =>
  open(request, { settings: recordedSettings, isLive: false, subtitles: 'none' });

interface HlsMode {
  readonly settings: Partial<HlsConfig>;
  readonly isLive: boolean;
  /** `told`: by the stream's own cue feed, so hls.js must ignore the playlist's tracks. */
  readonly subtitles: 'told' | 'in the playlist' | 'none';
}

async function open(request: PlaybackRequest, { settings, isLive, subtitles }: HlsMode): Promise<Playback> {
  const { default: Library } = await import('hls.js');
  request.signal.throwIfAborted();
  if (Library.isSupported()) {
    const { default: workerPath } = await import('hls.js/dist/hls.worker.js?url');
    request.signal.throwIfAborted();
    const hls = new Library({ ...settings, workerPath });
    // Set after construction: as constructor options they would also apply to low-latency playlists, whose parts allow one second.
    Object.assign(hls.config, edgeSettings);
    if (isLive) {
      hls.on(Library.Events.LEVEL_UPDATED, (_event, { details }) => limitLatency(hls.config, details));
      new LoadWatchdog(Library, hls, request.video);
      catchUp(Library, hls, request.video);
      new LateQualities(Library, hls, request);
    }
    if (subtitles === 'told') hls.on(Library.Events.MANIFEST_LOADED, () => (hls.subtitleTrack = -1));
    const own = subtitles === 'in the playlist' ? new HlsSubtitleFeed(Library, hls) : undefined;
    return new HlsPlayback(Library, hls, request, {
      subtitles: own,
      recovery: isLive ? new StallRecovery(request.video) : undefined,
    });
  }
  if (request.video.canPlayType('application/vnd.apple.mpegurl') === '') {
    throw new PlaybackError({ kind: 'unsupported' });
  }
  return filePlayback(request, { isLive });
}

const bitrateSeconds = 6;
/** 33-bit timestamps at 90 kHz. */
const wrapMs = 2 ** 33 / 90;
const mostContinuities = 100;
const audioCodecPattern = /^(mp4a|mp3|opus|flac|ac-3|ec-3)/i;

/** The list of qualities is read again this often at most. */
const rereadMs = 20_000;

/** Qualities that are made on demand begin with the first viewer, whose list is from before. hls.js reads a list once. */
class LateQualities {
  readonly #hls: Hls;
  readonly #url: string;
  #rereadAt = Number.NEGATIVE_INFINITY;

  constructor(library: typeof Hls, hls: Hls, { video, url }: { video: HTMLVideoElement; url: string }) {
    this.#hls = hls;
    this.#url = url;
    const onWaiting = () => void this.#reread();
    video.addEventListener('waiting', onWaiting);
    hls.on(library.Events.DESTROYING, () => video.removeEventListener('waiting', onWaiting));
  }

  /** The connection is too slow for the only quality. */
  async #reread(): Promise<void> {
    const now = performance.now();
    if (this.#hls.levels.length !== 1 || now - this.#rereadAt < rereadMs) return;
    this.#rereadAt = now;
    const answer = await fetch(this.#url).catch(() => undefined);
    const text = (await answer?.text().catch(() => '')) ?? '';
    const count = text.match(/^#EXT-X-STREAM-INF:.*RESOLUTION=/gm)?.length ?? 0;
    if (count > 1 && this.#hls.levels.length === 1) this.#hls.loadSource(this.#url);
  }
}

class HlsPlayback implements Playback {
  readonly #hls: Hls;
  readonly #video: HTMLVideoElement;
  readonly #events: PlaybackRequest['events'];
  readonly #subtitles: HlsSubtitleFeed | undefined;
  readonly #recovery: StallRecovery | undefined;
  readonly #loaded: { bits: number; seconds: number }[] = [];
  #codecs: { videoCodec?: string | undefined; audioCodec?: string | undefined } = {};
  #isClosed = false;
  #hasRecovered = false;
  /** Zero of hls.js on the stream's clock, per discontinuity. */
  readonly #firstMs = new Map<number, number>();
  #continuity = 0;

  constructor(
    library: typeof Hls,
    hls: Hls,
    { video, url, events }: PlaybackRequest,
    { subtitles, recovery }: { subtitles: HlsSubtitleFeed | undefined; recovery: StallRecovery | undefined },
  ) {
    this.#hls = hls;
    this.#subtitles = subtitles;
    this.#recovery = recovery;
    this.#video = video;
    this.#events = events;
    hls.on(library.Events.ERROR, (_event, data) => this.#onError(library, data));
    hls.on(library.Events.FRAG_LOADED, (_event, data) => this.#count(data));
    hls.on(library.Events.INIT_PTS_FOUND, (_event, { frag, initPTS, timescale }) => {
      if (this.#firstMs.size > mostContinuities) this.#firstMs.clear();
      this.#firstMs.set(frag.cc, (1000 * initPTS) / timescale);
    });
    hls.on(library.Events.FRAG_CHANGED, (_event, { frag }) => {
      this.#continuity = frag.cc;
    });
    hls.on(library.Events.BUFFER_CREATED, (_event, { tracks }) => {
      // Muxed segments have one buffer for both codecs.
      const both = tracks.audiovideo?.codec?.split(',') ?? [];
      this.#codecs = {
        videoCodec: tracks.video?.codec ?? both.find((codec) => !audioCodecPattern.test(codec)),
        audioCodec: tracks.audio?.codec ?? both.find((codec) => audioCodecPattern.test(codec)),
      };
    });
    hls.loadSource(url);
    hls.attachMedia(video);
  }

  measure() {
    const seconds = this.#loaded.reduce((sum, piece) => sum + piece.seconds, 0);
    const bits = this.#loaded.reduce((sum, piece) => sum + piece.bits, 0);
    return {
      delayMs: this.#hls.latency > 0 ? this.#hls.latency * 1000 : undefined,
      bitrateKbps: seconds > 0 ? bits / seconds / 1000 : undefined,
      ...this.#codecs,
      qualities: this.#qualities,
    };
  }

  /** By the next segment: what is buffered is shown. */
  chooseQuality(name: string | undefined): void {
    this.#hls.loadLevel = name === undefined ? -1 : this.#hls.levels.findIndex((level) => nameOf(level) === name);
  }

  get #qualities(): readonly string[] | undefined {
    const { levels } = this.#hls;
    return levels.length < 2 ? undefined : [...new Set(levels.map(nameOf).toReversed())];
  }

  /** Media timestamps are the stream's clock. MPEG-TS timestamps wrap every 26 hours. */
  positionMs(edgeMs: number): number | undefined {
    if (this.#subtitles) return this.#video.currentTime * 1000;
    const firstMs = this.#firstMs.get(this.#continuity);
    if (firstMs === undefined) return undefined;
    const positionMs = firstMs + this.#video.currentTime * 1000;
    return positionMs + Math.round((edgeMs - positionMs) / wrapMs) * wrapMs;
  }

  listen(onEvent: (event: CaptionEvent) => void): CaptionFeed | undefined {
    return this.#subtitles?.listen(onEvent);
  }

  seekToLive(): void {
    const { liveSyncPosition } = this.#hls;
    if (this.#details?.live && liveSyncPosition !== null) this.#video.currentTime = liveSyncPosition;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#recovery?.close();
    this.#hls.destroy();
  }

  get #details(): LevelDetails | undefined {
    return this.#hls.levels[this.#hls.currentLevel]?.details;
  }

  #count({ frag, part }: FragLoadedData): void {
    if (frag.type !== 'main' || frag.sn === 'initSegment') return;
    // The payload has been transferred to the worker already.
    const { stats, duration } = part ?? frag;
    this.#loaded.push({ bits: stats.loaded * 8, seconds: duration });
    while (this.#loaded.slice(1).reduce((sum, { seconds }) => sum + seconds, 0) > bitrateSeconds) this.#loaded.shift();
  }

  #onError(library: typeof Hls, data: ErrorData): void {
    if (!data.fatal || this.#isClosed) return;
    const failure = toHlsFailure(library, data);
    if (data.type === library.ErrorTypes.MEDIA_ERROR && failure.kind === 'network' && !this.#hasRecovered) {
      this.#hasRecovered = true;
      this.#hls.recoverMediaError();
      return;
    }
    this.#events.onFailure(failure);
  }
}

const nameOf = ({ width, height }: Level): string => qualityName({ width, height });

export function toHlsFailure(
  { ErrorDetails, ErrorTypes }: typeof Hls,
  { type, details, response }: ErrorData,
): PlayerFailure {
  if (type === ErrorTypes.NETWORK_ERROR) {
    const status = response?.code ?? 0;
    return status >= 400 ? toStatusFailure(status) : { kind: 'network', detail: details };
  }
  const cannotDecode: readonly string[] = [
    ErrorDetails.MANIFEST_INCOMPATIBLE_CODECS_ERROR,
    ErrorDetails.BUFFER_ADD_CODEC_ERROR,
    ErrorDetails.BUFFER_INCOMPATIBLE_CODECS_ERROR,
  ];
  return { kind: cannotDecode.includes(details) ? 'codec' : 'network', detail: details };
}
