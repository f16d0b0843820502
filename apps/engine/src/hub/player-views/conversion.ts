import { MalformedMedia, type MediaFrame, type TrackConfig } from '@weir/media';
import type { Log } from '@weir/plane';
import type { ChildEnd } from '@weir/process';
import { BackOff } from '@weir/process/back-off';
import type { Transcoder, TranscoderOptions } from './transcoder.ts';

/** Times that tests shorten. */
export interface ConversionLimits {
  /** Viewers who reload should find the conversion running. */
  readonly lingerMs: number;
  /** Input flows and nothing comes out for this long: the child hangs. */
  readonly stallMs: number;
  /** Retry interval, because ffmpeg may be installed while we run. */
  readonly missingRetryMs: number;
  /** Frames wait this long for the converted ones of their time; and this long for the first of them. */
  readonly holdMs: number;
  readonly holdAtStartMs: number;
  /** A source that sent no frame to convert for this long will not make others wait. */
  readonly silentMs: number;
  /** Pictures of this many streams are converted at once, and no more: the machine has other things to do. */
  readonly mostVideos: number;
  readonly crowdedRetryMs: number;
}

/** Shared parts of all conversions. */
export interface ConversionContext {
  readonly ffmpeg: string;
  readonly limits: ConversionLimits;
  readonly log: Log;
  /** Called for every child, for counting and for closing. */
  readonly onStarted: (kind: TrackConfig['kind'], ended: Promise<unknown>) => void;
  /** Children that convert pictures now, of all streams. */
  readonly videos: () => number;
  /** ffmpeg is not there; asked before the first attempt of the next conversion. */
  readonly onMissing: (isMissing: boolean) => void;
  readonly isMissing: () => boolean;
}

interface ConversionOptions {
  readonly source: TrackConfig;
  /** Asked for at each start: the wanted bitrate may be known better by then. */
  readonly args: () => readonly string[];
  /** Frames of the source from which a child can begin at once: pictures since the last keyframe. */
  readonly recent: () => readonly MediaFrame[];
  /** Audio further behind is dropped. Video frames cannot be dropped one by one. */
  readonly mostLateMs: number;
  /** Frames that wait for a child that is behind; those beyond are left out. Undefined: as many as viewers can wait for. */
  readonly mostFramesInside?: number;
  readonly onConfig: (config: TrackConfig) => void;
  readonly onFrame: (frame: MediaFrame) => void;
}

/** A source that was silent for this long owes us nothing. */
const pauseMs = 500;
/** Failures in a row after which it is called unavailable. It is tried again all the same. */
const givenUpAfter = 3;
/** A frame this much older than the one before is not late: the clock went back. */
const stepBackMs = 1000;
/** Starting takes a machine that is short of time much longer than going on; killing the child would not help. */
const startFactor = 3;
const unsettled = '';
const missing = 'ffmpeg is not installed';
const crowded = 'the video of too many streams is being converted';

/** Keeps one track converted, also when the child restarts, until it is closed. */
export class Conversion {
  readonly source: TrackConfig;
  readonly #options: ConversionOptions;
  readonly #context: ConversionContext;
  readonly #backOff = new BackOff({ firstMs: 200, mostMs: 15_000, healthyMs: 10_000 });
  #make: ((options: TranscoderOptions) => Transcoder) | undefined;
  #transcoder: Transcoder | undefined;
  #retry: NodeJS.Timeout | undefined;
  #reason = unsettled;
  #lastFedMs = Number.NEGATIVE_INFINITY;
  #lastOutMs = Number.NEGATIVE_INFINITY;
  #fedAt = 0;
  #waitingSince: number | undefined;
  /** Counts the times the clock went back: what was put in before then comes too late. */
  #era = 0;
  #isClosed = false;

  constructor(options: ConversionOptions, context: ConversionContext) {
    this.source = options.source;
    this.#options = options;
    this.#context = context;
    if (context.isMissing()) this.#reason = missing;
    this.#start();
  }

  /** Why nothing comes out; empty while something does, or may be expected to. */
  get failure(): string {
    return this.#reason;
  }

  /** Pid of the child; undefined without one. */
  get pid(): number | undefined {
    return this.#transcoder?.pid;
  }

  feed(frame: MediaFrame): void {
    const isBack = this.#lastFedMs - frame.dtsMs > stepBackMs;
    // Frames that a child began with come again when they are the newest; late ones would upset its clock.
    if (frame.dtsMs <= this.#lastFedMs && !isBack) return;
    this.#lastFedMs = frame.dtsMs;
    if (isBack) {
      this.#lastOutMs = Number.NEGATIVE_INFINITY;
      this.#era += 1;
    }
    const transcoder = this.#transcoder;
    if (!transcoder) return;
    if (isBack || (transcoder.isWorn(frame) && frame.isKeyframe)) {
      this.#renew(transcoder, frame);
      return;
    }
    transcoder.feed(frame);
    this.#watch(transcoder);
  }

  /**
   * Flushes the child at the end of the input; resolves when all of its output has come. Another child is ready for
   * further input.
   */
  async drain(): Promise<void> {
    const old = this.#transcoder;
    if (!old) return;
    this.#transcoder = this.#open();
    await old.finish();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#transcoder?.kill();
    this.#transcoder = undefined;
  }

  /** The rest is loaded when something is converted for the first time: most servers never need it. */
  #start(): void {
    import('./transcoder.ts')
      .then((module) => this.#begin((options) => new module.Transcoder(options)))
      .catch((error: unknown) => this.#context.log.error({ err: error }, 'conversion could not start'));
  }

  #begin(make: (options: TranscoderOptions) => Transcoder): void {
    if (this.#isClosed) return;
    this.#make = make;
    const { limits, videos } = this.#context;
    if (this.source.kind === 'video' && videos() >= limits.mostVideos) {
      this.#reason = crowded;
      this.#retry = setTimeout(() => this.#start(), limits.crowdedRetryMs);
      return;
    }
    const transcoder = this.#open();
    this.#transcoder = transcoder;
    if (!transcoder) return;
    const recent = this.#options.recent();
    transcoder.prime(recent);
    this.#lastFedMs = Math.max(this.#lastFedMs, recent.at(-1)?.dtsMs ?? this.#lastFedMs);
  }

  #open(): Transcoder | undefined {
    const { source, args, mostFramesInside } = this.#options;
    this.#waitingSince = undefined;
    const era = this.#era;
    try {
      const transcoder: Transcoder | undefined = this.#make?.({
        ffmpeg: this.#context.ffmpeg,
        args: args(),
        source,
        mostFramesInside,
        onConfig: (config) => this.#onConfig(config),
        onFrame: (frame) => {
          if (era === this.#era) this.#onFrame(frame);
        },
        onEnd: (end) => this.#onEnd(transcoder, end),
        onFault: (error) => this.#context.log.error({ err: error }, 'conversion failed'),
      });
      if (transcoder) this.#context.onStarted(source.kind, transcoder.ended);
      return transcoder;
    } catch (error) {
      if (!(error instanceof MalformedMedia)) throw error;
      this.#reason = `this ${source.codec} cannot be converted: ${error.message}`;
      return undefined;
    }
  }

  /** The old child finishes what it has while the new one starts. */
  #renew(old: Transcoder, frame: MediaFrame): void {
    this.#transcoder = this.#open();
    old.finish();
    this.#transcoder?.feed(frame);
  }

  #watch(transcoder: Transcoder): void {
    const now = performance.now();
    if (now - this.#fedAt > pauseMs) this.#waitingSince = undefined;
    this.#fedAt = now;
    this.#waitingSince ??= now;
    const { stallMs } = this.#context.limits;
    if (now - this.#waitingSince <= (transcoder.hasOutput ? stallMs : stallMs * startFactor)) return;
    this.#context.log.warn('conversion stalled, restarting it');
    this.#waitingSince = undefined;
    transcoder.kill();
  }

  #onConfig(config: TrackConfig): void {
    if (!this.#isClosed && config.kind === this.source.kind) this.#options.onConfig(config);
  }

  #onFrame(frame: MediaFrame): void {
    this.#waitingSince = undefined;
    if (this.#isClosed || frame.kind !== this.source.kind || frame.dtsMs <= this.#lastOutMs) return;
    this.#lastOutMs = frame.dtsMs;
    if (this.#reason !== unsettled) this.#recover();
    if (frame.kind === 'audio' && this.#lastFedMs - frame.dtsMs > this.#options.mostLateMs) return;
    this.#options.onFrame(frame);
  }

  #recover(): void {
    this.#reason = unsettled;
    this.#context.onMissing(false);
  }

  #onEnd(transcoder: Transcoder | undefined, end: ChildEnd): void {
    if (this.#isClosed || transcoder !== this.#transcoder) return;
    this.#transcoder = undefined;
    const waitMs = this.#backOff.next(end.ranMs);
    if (end.isMissing) {
      this.#reason = missing;
      this.#context.onMissing(true);
    } else {
      const { reason, ranMs } = end;
      this.#context.log.warn({ reason, ranMs: Math.round(ranMs), waitMs: Math.round(waitMs) }, 'conversion ended');
      if (this.#backOff.failures >= givenUpAfter) this.#reason = `ffmpeg failed: ${reason}`;
    }
    this.#retry = setTimeout(() => this.#start(), end.isMissing ? this.#context.limits.missingRetryMs : waitMs);
  }
}
