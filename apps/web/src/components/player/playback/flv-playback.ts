import type Mpegts from 'mpegts.js';
import { type PlayerFailure, toStatusFailure } from '../session/player-failure.ts';
import { LiveEdgeController } from './live-edge-controller.ts';
import {
  type OpenPlayback,
  type Playback,
  PlaybackError,
  type PlaybackEvents,
  readBufferedSeconds,
  seekToEdge,
} from './playback.ts';

/** A decoder that gave up after this long is set up anew at once: most likely the publisher changed something. */
const playedSeconds = 2;
/** Some seconds of looks at the clock. */
const mostTries = 30;

interface LoaderFault {
  readonly code?: number;
  readonly msg?: string;
}

interface MediaFacts {
  readonly videoCodec?: string;
  readonly audioCodec?: string;
}

const openAs =
  (type: 'flv' | 'mpegts'): OpenPlayback =>
  async ({ video, url, events, signal }) => {
    const { default: mpegts } = await import('mpegts.js');
    signal.throwIfAborted();
    if (!mpegts.getFeatureList().mseLivePlayback) throw new PlaybackError({ kind: 'unsupported' });
    // It writes every request and every codec to the console, addresses with secrets among them.
    mpegts.LoggingControl.enableAll = false;
    const player = mpegts.createPlayer(
      { type, isLive: true, url },
      {
        enableStashBuffer: false,
        lazyLoad: false,
        autoCleanupSourceBuffer: true,
        autoCleanupMaxBackwardDuration: 20,
        autoCleanupMinBackwardDuration: 10,
        statisticsInfoReportInterval: 1000,
      },
    );
    return new FlvPlayback(mpegts, player, video, events);
  };

/** HTTP-FLV through Media Source Extensions. */
export const openFlv = openAs('flv');
/** MPEG-TS over HTTP, the same way. */
export const openTs = openAs('mpegts');

class FlvPlayback implements Playback {
  readonly #player: Mpegts.Player;
  readonly #video: HTMLVideoElement;
  readonly #edge: LiveEdgeController;
  readonly #listening = new AbortController();
  #bitrateKbps: number | undefined;
  #facts: MediaFacts = {};
  /** Where the first frame may have been on the stream's clock. */
  readonly #firstMs: number[] = [];
  #isClosed = false;

  constructor(mpegts: typeof Mpegts, player: Mpegts.Player, video: HTMLVideoElement, events: PlaybackEvents) {
    this.#player = player;
    this.#video = video;
    this.#edge = new LiveEdgeController(video);
    // Whoever hears of a failure closes the player, which the library does not bear in the midst of its own work: it goes on with parts
    // that it has just thrown away. It does all it has to do in one turn, so the failure is told in the next.
    const reportFailure = (failure: PlayerFailure) =>
      setTimeout(() => {
        if (!this.#isClosed) events.onFailure(failure);
      });
    player.on(mpegts.Events.ERROR, (type: string, detail: string, fault: LoaderFault) => {
      // The error of the video element is more precise and was reported already.
      if (!video.error) reportFailure(toFailure(mpegts, type, detail, fault));
    });
    // Decoders give up on what does not fit together: a change that comes with less than its publisher announced.
    const onBroken = () =>
      reportFailure({
        kind: 'network',
        detail: video.error?.message,
        canReopenAtOnce: video.currentTime >= playedSeconds,
      });
    video.addEventListener('error', onBroken, { signal: this.#listening.signal });
    // The server ends the answer when the publisher has gone.
    player.on(mpegts.Events.LOADING_COMPLETE, () => reportFailure({ kind: 'ended' }));
    player.on(mpegts.Events.STATISTICS_INFO, ({ speed }: { speed?: number }) => {
      this.#bitrateKbps = speed === undefined ? undefined : speed * 8.192;
    });
    let isKnown = false;
    player.on(mpegts.Events.MEDIA_INFO, (facts: MediaFacts) => {
      this.#facts = facts;
      if (!isKnown) flushBeforeFormatChange(player);
      isKnown = true;
    });
    player.attachMediaElement(video);
    player.load();
  }

  measure() {
    const ahead = readBufferedSeconds(this.#video);
    return {
      delayMs: ahead === undefined ? undefined : ahead * 1000,
      bitrateKbps: this.#bitrateKbps,
      videoCodec: this.#facts.videoCodec,
      audioCodec: this.#facts.audioCodec,
    };
  }

  /**
   * The library counts from the first frame it got and does not tell which that was. It is found by what has arrived of what there is: the
   * least of some tries, since all that can happen on the way is delay.
   */
  positionMs(edgeMs: number): number | undefined {
    const { currentTime } = this.#video;
    const ahead = readBufferedSeconds(this.#video);
    if (ahead === undefined) return undefined;
    this.#firstMs.push(edgeMs - (currentTime + ahead) * 1000);
    if (this.#firstMs.length > mostTries) this.#firstMs.shift();
    return Math.min(...this.#firstMs) + currentTime * 1000;
  }

  seekToLive(): void {
    seekToEdge(this.#video, this.#edge.targetBufferSeconds);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#listening.abort();
    this.#edge.close();
    this.#player.destroy();
  }
}

function toFailure(mpegts: typeof Mpegts, type: string, detail: string, fault: LoaderFault | undefined): PlayerFailure {
  const said = [detail, fault?.msg].filter(Boolean).join(': ');
  if (type === mpegts.ErrorTypes.NETWORK_ERROR) {
    return detail === mpegts.ErrorDetails.NETWORK_STATUS_CODE_INVALID
      ? toStatusFailure(fault?.code ?? 0)
      : { kind: 'network', detail: said };
  }
  const isFormat =
    detail === mpegts.ErrorDetails.MEDIA_CODEC_UNSUPPORTED || detail === mpegts.ErrorDetails.MEDIA_FORMAT_UNSUPPORTED;
  // A broken piece plays again from the next keyframe; what cannot be decoded never does.
  return { kind: isFormat || /addSourceBuffer|codec/i.test(said) ? 'codec' : 'network', detail: said };
}

interface Sample {
  readonly length: number;
}

interface VideoTrack {
  samples: Sample[];
  length: number;
}

type OnMetadata = (type: string, metadata: unknown) => void;

/** Parts of mpegts.js that are none of its interface: another version may not have them. */
interface TransmuxingController {
  readonly _demuxer?: { onTrackMetadata?: OnMetadata; readonly _videoTrack?: VideoTrack } | null;
  readonly _remuxer?: {
    _remuxVideo?(track: VideoTrack, isForced: boolean): void;
    _videoStashedLastSample?: Sample | null;
    _videoNextDts?: number | undefined;
  } | null;
}

interface MpegtsInternals {
  readonly _player_engine?: { readonly _transmuxer?: { readonly _controller?: TransmuxingController } };
}

/**
 * mpegts.js (1.8.2) holds the last one or two video frames back until the next come. Where the form of the video changes it appends them
 * behind the new initialization segment, and browsers drop them: a hole, at which they stop. Has it append them before.
 */
function flushBeforeFormatChange(player: object): void {
  const controller = (player as MpegtsInternals)._player_engine?._transmuxer?._controller;
  const demuxer = controller?._demuxer;
  const remuxer = controller?._remuxer;
  const pass = demuxer?.onTrackMetadata;
  const track = demuxer?._videoTrack;
  if (!demuxer || !pass || !track || typeof remuxer?._remuxVideo !== 'function') return;
  demuxer.onTrackMetadata = (type, metadata) => {
    if (type === 'video') {
      if (track.samples.length > 0) remuxer._remuxVideo?.(track, true);
      const last = remuxer._videoStashedLastSample;
      remuxer._videoStashedLastSample = null;
      if (last) remuxer._remuxVideo?.(Object.assign({}, track, { samples: [last], length: last.length }), true);
      // Later frames keep their own times, so that audio and video stay in sync.
      remuxer._videoNextDts = undefined;
    }
    pass(type, metadata);
  };
}
