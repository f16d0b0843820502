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
import { StallRecovery } from './stall-recovery.ts';

/** A decoder that fails after playing this long is reopened at once: most likely the publisher changed something. */
const playedSeconds = 2;
/** A few seconds of position samples. */
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
    // mpegts.js would log every URL, secrets included.
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

/** HTTP-FLV via Media Source Extensions. */
export const openFlv = openAs('flv');
/** MPEG-TS over HTTP via Media Source Extensions. */
export const openTs = openAs('mpegts');

class FlvPlayback implements Playback {
  readonly #player: Mpegts.Player;
  readonly #video: HTMLVideoElement;
  readonly #edge: LiveEdgeController;
  readonly #recovery: StallRecovery;
  readonly #listening = new AbortController();
  #bitrateKbps: number | undefined;
  #facts: MediaFacts = {};
  /** Candidates for the first frame's position on the stream's clock. */
  readonly #firstMs: number[] = [];
  #isClosed = false;

  constructor(mpegts: typeof Mpegts, player: Mpegts.Player, video: HTMLVideoElement, events: PlaybackEvents) {
    this.#player = player;
    this.#video = video;
    this.#edge = new LiveEdgeController(video);
    this.#recovery = new StallRecovery(video);
    // Deferred: a failure closes the player, and mpegts.js breaks when destroyed inside its own callback because it continues with parts it
    // has just released. It finishes its work within the same task.
    const reportFailure = (failure: PlayerFailure) =>
      setTimeout(() => {
        if (!this.#isClosed) events.onFailure(failure);
      });
    player.on(mpegts.Events.ERROR, (type: string, detail: string, fault: LoaderFault) => {
      // The video element's own error was reported already and is more precise.
      if (!video.error) reportFailure(toFailure(mpegts, type, detail, fault));
    });
    // Decoders fail on inconsistent input, such as a format change with less data than the publisher announced.
    const onBroken = () =>
      reportFailure({
        kind: 'network',
        detail: video.error?.message,
        canReopenAtOnce: video.currentTime >= playedSeconds,
      });
    video.addEventListener('error', onBroken, { signal: this.#listening.signal });
    // The server ends the response when the publisher is gone.
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
   * mpegts.js counts from the first frame it received and does not expose its timestamp. It is estimated from buffered data: the minimum of
   * several samples, since the network can only add delay.
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
    this.#recovery.close();
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
  // Corrupt data recovers at the next keyframe; an undecodable codec never does.
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

/** Internals of mpegts.js, which other versions may lack. */
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
 * Works around mpegts.js 1.8.2, which holds back the last one or two video frames. At a format change it appends them after the new
 * initialization segment, where browsers drop them and stop at the gap. This appends them before.
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
      // Later frames keep their timestamps, so that audio and video stay in sync.
      remuxer._videoNextDts = undefined;
    }
    pass(type, metadata);
  };
}
