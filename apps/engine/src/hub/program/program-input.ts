import { type AudioConfig, isSameDecoder, type MediaFrame, type TrackConfig, type VideoConfig } from '@weir/media';
import type { StreamPlace } from '@weir/streams';
import { type ClientEntry, standbyReadMs } from '../clients/clients.ts';
import type { Packager } from '../packager.ts';
import type { FrameSource } from '../stream.ts';
import type { Fault, InputState, InputView } from './decide.ts';
import { LiveEdge } from './live-edge.ts';
import { audioFrameMs } from './splice.ts';

/** Length of audio that is kept beside the group of pictures, because encoders send it before the pictures of the same time. */
const keptAudioMs = 2000;
/** Age from which the live edge reflects the line instead of the encoder's first burst. */
const settledMs = 1000;
/** Frame intervals without a picture before an input may count as failed. */
const leastIntervals = 3;
/** Limits of a group of pictures that is sent at once. */
const mostCachedFrames = 250;
const mostCachedBytes = 4 * 1024 * 1024;

/**
 * Compatibility of an input with the one on air. `same`: one decoder for both; `changes`: the same codecs with other parameters; `conformed`: encoded
 * anew to have nearly the same.
 */
export type InputFit = 'unknown' | 'same' | 'changes' | 'conformed' | 'unfit';

/** State of an input, for the API. */
export interface InputFacts extends InputView {
  readonly fit: InputFit;
}

export interface Tracks {
  readonly video?: VideoConfig | undefined;
  readonly audio?: AudioConfig | undefined;
}

/** Source of an input: a player view of a stream. Its tracks are the received ones. */
export interface InputSource extends FrameSource, Tracks {
  readonly place: StreamPlace;
  readonly isLive: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly isConformed?: boolean;
}

/** Listener for an input's frames, called after the input has counted them. */
export interface InputEvents {
  onConfig(input: ProgramInput, config: TrackConfig): void;
  onFrame(input: ProgramInput, frame: MediaFrame): void;
  /** Called when the clock of the input was joined again. */
  onSeam(input: ProgramInput): void;
  onLeave(input: ProgramInput): void;
}

interface Options {
  readonly id: string;
  readonly failMs: number;
  readonly events: InputEvents;
  readonly nowMs: () => number;
  /** Called when the stream is over. Another may begin under its name. */
  readonly onGone: () => unknown;
}

/** Input of a program: its tracks, its last activity, and its next possible cut. */
export class ProgramInput {
  readonly id: string;
  failMs: number;
  video: VideoConfig | undefined;
  audio: AudioConfig | undefined;
  /** End of a rehearsal, until which frames are dropped as if the line were cut. */
  cutOffUntilMs = 0;
  /** Fault that the control plane found by decoding. */
  fault: '' | Fault = '';
  readonly #options: Options;
  readonly #edge = new LiveEdge();
  readonly #audioEdge = new LiveEdge();
  #source: InputSource | undefined;
  #packager: Packager | undefined;
  #audioRing: MediaFrame[] = [];
  #hasKeyframe = false;
  #wasLive = false;
  #isClosed = false;
  #lastVideoAtMs = 0;
  #lastAudioAtMs = 0;
  #lastVideoMs = 0;
  #intervalMs = 40;
  #goodSinceMs: number | undefined;
  #publisher: Pick<ClientEntry, 'setStandby'> | undefined;
  #isStandby = false;

  constructor(options: Options) {
    this.#options = options;
    this.id = options.id;
    this.failMs = options.failMs;
  }

  get tracks(): readonly TrackConfig[] {
    return [this.video, this.audio].filter((config) => config !== undefined);
  }

  get source(): InputSource | undefined {
    return this.#source;
  }

  /** Median-like length of a picture: follows slowly, since RTMP rounds times. */
  get intervalMs(): number {
    return this.#intervalMs;
  }

  get audioFrameMs(): number {
    return this.audio ? audioFrameMs(this.audio) : 0;
  }

  get hasVideo(): boolean {
    return this.video !== undefined;
  }

  /** Distance of the input's newest time from our own clock. */
  get edgeMs(): number | undefined {
    return this.video ? this.#edge.ms : this.#audioEdge.ms;
  }

  isSettled(nowMs: number): boolean {
    const edge = this.video ? this.#edge : this.#audioEdge;
    return edge.ageMs(nowMs) >= settledMs && !edge.isCatchingUp && !edge.isBehind;
  }

  /** Audio frames of the last seconds. */
  get recentAudio(): readonly MediaFrame[] {
    return this.#audioRing;
  }

  /** Pictures since the last keyframe; empty when they are too many to be sent at once. */
  group(): readonly MediaFrame[] {
    const frames = (this.#source?.cached() ?? []).filter(({ kind }) => kind === 'video');
    const bytes = frames.reduce((sum, { payload }) => sum + payload.length, 0);
    return frames.length <= mostCachedFrames && bytes <= mostCachedBytes ? frames : [];
  }

  /** The last keyframe, which decoders can start with. */
  get keyframe(): MediaFrame | undefined {
    return this.#source?.cached().find(({ kind, isKeyframe }) => kind === 'video' && isKeyframe);
  }

  attach(source: InputSource): void {
    this.detach();
    this.#source = source;
    this.#wasLive ||= source.isLive;
    const packager: Packager = {
      onConfig: (config) => this.#onConfig(config),
      onTrackMissing: (kind) => {
        this[kind] = undefined;
      },
      onFrame: (frame) => this.#onFrame(frame),
      onDiscontinuity: () => this.#onSeam(),
      onLeave: () => this.#onLeave(),
      close: () => {
        this.#forget();
        // The hub still lists the stream while it closes.
        queueMicrotask(() => this.#options.onGone());
      },
    };
    this.#packager = packager;
    source.attach(packager);
    // A stream that was there before is known by its cached group.
    if (source.isLive && source.cached().some(({ kind, isKeyframe }) => kind === 'video' && isKeyframe)) {
      this.#hasKeyframe = true;
      this.#lastVideoAtMs = this.#options.nowMs();
    }
  }

  detach(): void {
    if (this.#source && this.#packager) this.#source.detach(this.#packager);
    this.#forget();
  }

  /** Publisher of the input, and whether its frames are needed now. */
  setStandby(publisher: Pick<ClientEntry, 'setStandby'> | undefined, isStandby: boolean): void {
    if (publisher === this.#publisher && isStandby === this.#isStandby) return;
    this.#publisher = publisher;
    this.#isStandby = isStandby;
    publisher?.setStandby?.(isStandby);
  }

  view(nowMs: number, fit: InputFit): InputView {
    const state = this.#state(nowMs, fit);
    if (state !== 'good') this.#goodSinceMs = undefined;
    else this.#goodSinceMs ??= nowMs;
    return {
      id: this.id,
      state,
      isClosed: this.#isClosed || !this.#source?.isLive,
      silentMs: this.silentMs(nowMs),
      goodMs: this.#goodSinceMs === undefined ? 0 : nowMs - this.#goodSinceMs,
      fault: this.fault,
      isSettled: this.isSettled(nowMs),
    };
  }

  silentMs(nowMs: number): number {
    return nowMs - (this.video ? this.#lastVideoAtMs : this.#lastAudioAtMs);
  }

  #state(nowMs: number, fit: InputFit): InputState {
    if (!this.#source?.isLive) return this.#wasLive ? 'lost' : 'absent';
    if (!this.video && !this.audio) return 'starting';
    if (fit === 'unfit') return 'unfit';
    const has = this.video ? this.#hasKeyframe : this.#audioRing.length > 0;
    if (!has) return 'starting';
    const mostMs = Math.max(this.failMs, leastIntervals * (this.video ? this.#intervalMs : this.audioFrameMs));
    return this.fault !== '' || this.silentMs(nowMs) > mostMs ? 'lost' : 'good';
  }

  #onConfig(config: TrackConfig): void {
    const before = this[config.kind];
    if (config.kind === 'video') this.video = config;
    else this.audio = config;
    if (config.kind === 'video' && before && !isSameDecoder(before, config)) this.#hasKeyframe = false;
    if (config.kind === 'audio' && before && !isSameDecoder(before, config)) this.#audioRing = [];
    this.#options.events.onConfig(this, config);
  }

  #onFrame(frame: MediaFrame): void {
    const nowMs = this.#options.nowMs();
    if (nowMs < this.cutOffUntilMs) return;
    this.#isClosed = false;
    this.#wasLive = true;
    if (frame.kind === 'video') {
      const stepMs = frame.dtsMs - this.#lastVideoMs;
      if (stepMs > 0 && stepMs < 1000) this.#intervalMs += (stepMs - this.#intervalMs) / 8;
      this.#lastVideoMs = frame.dtsMs;
      this.#lastVideoAtMs = nowMs;
      if (frame.isKeyframe) this.#hasKeyframe = true;
      // Frames of a standby have waited for half of the reading interval on average.
      const isLate = this.#isStandby && this.#publisher?.setStandby !== undefined;
      this.#edge.push(frame.dtsMs, isLate ? nowMs - standbyReadMs / 2 : nowMs);
    } else {
      this.#lastAudioAtMs = nowMs;
      this.#audioEdge.push(frame.dtsMs, nowMs);
      this.#audioRing.push(frame);
      while (frame.dtsMs - (this.#audioRing[0]?.dtsMs ?? frame.dtsMs) > keptAudioMs) this.#audioRing.shift();
    }
    this.#options.events.onFrame(this, frame);
  }

  #onSeam(): void {
    // Listeners still read the edge.
    this.#options.events.onSeam(this);
    this.#edge.reset();
    this.#audioEdge.reset();
    this.#audioRing = [];
    this.#hasKeyframe = false;
  }

  #onLeave(): void {
    this.#isClosed = true;
    this.fault = '';
    this.#hasKeyframe = false;
    this.#options.events.onLeave(this);
    this.#edge.reset();
    this.#audioEdge.reset();
    this.#audioRing = [];
  }

  #forget(): void {
    this.#source = undefined;
    this.#packager = undefined;
    this.#hasKeyframe = false;
    this.#audioRing = [];
    this.#edge.reset();
    this.#audioEdge.reset();
    this.video = undefined;
    this.audio = undefined;
    this.fault = '';
  }
}
