import type { LadderPlan, LadderState, LadderStatus } from '@weir/engine-api';
import { isSameDecoder, type MediaFrame, mpegTsCarries, type TrackConfig, type VideoConfig } from '@weir/media';
import type { Log } from '@weir/plane';
import { ladderArgs, ManagedProcess } from '@weir/process';
import { type LadderRung, streamKey } from '@weir/streams';
import type { Packager } from '../packager.ts';
import type { Transcoder } from '../player-views/transcoder.ts';
import type { Stream } from '../stream.ts';
import { RungClock } from './rung-clock.ts';

interface Options {
  readonly stream: Stream;
  readonly plan: LadderPlan;
  readonly ffmpeg: string;
  readonly log: Log;
  /** Told of every child, so that closing can wait for all of them. */
  readonly onStarted: (ended: Promise<unknown>) => void;
}

/** Input flows and nothing comes out for this long: the child hangs. */
const stallMs = 4000;
/** A machine that is short of time needs long to start it. */
const startMs = 30_000;
/** A source that was silent for this long is owed nothing. */
const pauseMs = 500;
/** Failures in a row after which it is called failing. It is tried again all the same. */
const failingAfter = 2;
/**
 * Frames that are inside for longer come out too late: segments wait 1.5 s for a rung. A child that was behind by more, because it started or the
 * machine was busy, would be late with every keyframe for as long as it has little time to spare. It begins anew with the next one instead.
 */
const mostMsInside = 1200;
/** A child that starts can be in time with a group of pictures that began this recently, and waits this long for the next one. */
const youngMs = 1000;
const soonMs = 2500;
/** Frames were left out this recently: the machine does not keep up. */
const behindMs = 10_000;
const longestReason = 300;
/** A ladder on demand goes on for so long after its last viewer: players reconnect, and people look again. */
const lingerMs = 30_000;

/** What one child was started with. */
interface Run {
  readonly transcoder: Transcoder;
  readonly clock: RungClock;
  readonly source: VideoConfig;
  /** As many as the source is larger than, in the order of the child's outputs. */
  readonly rungs: readonly LadderRung[];
}

/**
 * Lower qualities of one stream that are made here: one ffmpeg decodes the stream once and encodes every rung. It gets the frames of the stream
 * and returns those of the rungs by pipes. The stream itself is as it was, whatever happens to the child.
 */
export class Ladder implements Packager {
  readonly #options: Options;
  readonly #process: ManagedProcess;
  #plan: LadderPlan;
  #run: Run | undefined;
  #reason = '';
  /** The next keyframe begins with a new child: other rungs, or another source. */
  #isRenewalDue = false;
  #isRenewing = false;
  #isSeam = false;
  #isClosed = false;
  /** Frames of rungs from before it come too late. */
  #seamMs = Number.NEGATIVE_INFINITY;
  /** Newest frame of each rung that was passed on, by lines. */
  readonly #lastMs = new Map<number, number>();
  /** The last two keyframes of the source. */
  #keyframesMs: readonly [number, number] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  /** Rungs that begin anew with a keyframe. */
  #waiting = new Set<number>();
  #sourceAt = 0;
  #owedSince: number | undefined;
  #leftOutAt = Number.NEGATIVE_INFINITY;
  #watchedAt = Number.NEGATIVE_INFINITY;

  constructor(options: Options) {
    this.#options = options;
    this.#plan = options.plan;
    this.#process = new ManagedProcess({
      start: async ({ ready }) => this.#open(ready),
      backOff: { firstMs: 200, mostMs: 15_000, healthyMs: 10_000 },
      ready: { withinMs: startMs, reason: () => 'no output' },
      onExit: ({ wanted, reason }, { pauseMs: waitMs }) => {
        // What ffmpeg says at last is often the echo of the line that tells why.
        const [said = reason] = this.#run?.transcoder.said() ?? [];
        this.#run = undefined;
        if (wanted) return;
        this.#reason = said.slice(0, longestReason);
        options.log.warn({ reason: this.#reason, waitMs }, 'ladder ended');
      },
      onReady: () => {
        this.#reason = '';
      },
      onDue: () => this.#start(),
    });
    options.stream.attach(this);
    options.stream.qualities.hasAudioOnly = options.plan.hasAudioOnly;
  }

  get stream(): Stream {
    return this.#options.stream;
  }

  get isOnDemand(): boolean {
    return this.#plan.isOnDemand;
  }

  /** To be called now and then where it is made on demand. */
  look(isWatched: boolean): void {
    if (isWatched) this.#watchedAt = performance.now();
    if (!this.#isWanted) void this.#process.end('nobody watches');
    else if (!this.#run && this.#isAtRest) this.#start();
  }

  /** Takes effect at the next keyframe. */
  update(plan: LadderPlan): void {
    if (JSON.stringify(this.#plan) === JSON.stringify(plan)) return;
    this.#plan = plan;
    this.stream.qualities.hasAudioOnly = plan.hasAudioOnly;
    this.#isRenewalDue = true;
    this.#process.forgive();
    this.#process.cancelDelay();
  }

  status(): LadderStatus {
    const { vhost, app, stream, encoder } = this.#plan;
    const { phase, pid, failures, starts } = this.#process.state;
    const { qualities } = this.stream;
    const rungs = this.#run?.rungs ?? [];
    return {
      vhost,
      app,
      stream,
      encoder,
      state: this.#state(phase === 'running', failures),
      reason: this.#reason,
      isBehind: performance.now() - this.#leftOutAt < behindMs,
      pid: pid ?? 0,
      starts,
      failures,
      rungs: rungs.map(({ lines }) => {
        const quality = qualities.made(lines);
        return { lines, name: quality?.name ?? '', kbps: Math.round(quality?.kbps ?? 0) };
      }),
    };
  }

  onConfig(config: TrackConfig): void {
    const source = this.#run?.source;
    if (config.kind === 'video' && source && !isSameDecoder(source, config)) this.#isRenewalDue = true;
  }

  onTrackMissing(kind: TrackConfig['kind']): void {
    if (kind === 'video') void this.#process.end('no video');
  }

  onFrame(frame: MediaFrame): void {
    if (frame.kind !== 'video' || this.#isClosed) return;
    if (this.#isSeam) this.#seamMs = frame.dtsMs;
    this.#isSeam = false;
    if (frame.isKeyframe) {
      this.#keyframesMs = [this.#keyframesMs[1], frame.dtsMs];
      this.#atKeyframe(frame);
    }
    const run = this.#run;
    if (!run || this.#isRenewing) return;
    run.clock.feed(frame);
    const { transcoder } = run;
    this.#watch(transcoder.feed(frame) || transcoder.isBehind);
    // What a child leaves out that starts says nothing of the machine.
    if (transcoder.isBehind && transcoder.hasOutput) this.#leftOutAt = performance.now();
  }

  onDiscontinuity(): void {
    this.#isSeam = true;
  }

  onLeave(): void {
    this.#isSeam = true;
    void this.#process.end('the publisher left');
  }

  /** The stream is over, or its ladder is. */
  close(): void {
    this.#isClosed = true;
    this.stream.detach(this);
    this.stream.qualities.hasAudioOnly = false;
    this.#run?.transcoder.kill();
    void this.#process.close();
  }

  #state(isRunning: boolean, failures: number): LadderState {
    if (!this.stream.isLive) return 'waiting';
    if (this.#obstacle !== '') return 'idle';
    if (!this.#isWanted) return 'unwatched';
    if (isRunning) return 'running';
    return failures >= failingAfter ? 'failing' : 'starting';
  }

  get #isWanted(): boolean {
    return !this.isOnDemand || performance.now() - this.#watchedAt < lingerMs;
  }

  /** Why there is nothing to be made of the stream; empty where there is. */
  get #obstacle(): string {
    const { video, qualities } = this.stream;
    if (!video) return 'the stream has no video';
    if (qualities.hasLayers) return 'the publisher sends several qualities itself';
    if (!mpegTsCarries(video.codec)) return `${video.codec.toUpperCase()} cannot be taken`;
    if (this.#rungsFor(video).length === 0) return 'the picture is smaller than all of the qualities';
    return '';
  }

  #rungsFor({ width, height }: VideoConfig): readonly LadderRung[] {
    return this.#plan.rungs.filter(({ lines }) => lines < Math.min(width, height));
  }

  #atKeyframe(frame: MediaFrame): void {
    const isWorn = this.#run?.transcoder.isWorn(frame) === true;
    if (this.#run && (this.#isRenewalDue || isWorn || this.stream.qualities.hasLayers)) void this.#renew();
    else if (!this.#run && this.#isAtRest) this.#start();
  }

  get #isAtRest(): boolean {
    const { phase, pauseMs: leftMs } = this.#process;
    return phase === 'idle' || (phase === 'backing-off' && leftMs === 0);
  }

  /** What the old child has comes out, then the new one begins with the present group of pictures. */
  async #renew(): Promise<void> {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    this.#isRenewalDue = false;
    await this.#process.end('renewed');
    this.#isRenewing = false;
    this.#start();
  }

  #start(): void {
    if (this.#isClosed || !this.stream.isLive || !this.#isWanted) return;
    this.#reason = this.#obstacle;
    if (this.#reason !== '') return;
    void this.#process.start({ isNow: true }).catch(() => undefined);
  }

  async #open(ready: () => void) {
    const { Transcoder: Child } = await import('../player-views/transcoder.ts');
    const { stream, ffmpeg, log, onStarted } = this.#options;
    const source = stream.video;
    const obstacle = this.#obstacle;
    if (!source || obstacle !== '' || this.#isClosed) throw new Error(obstacle);
    const rungs = this.#rungsFor(source);
    const clock = new RungClock();
    let isFirst = true;
    const transcoder: Transcoder = new Child({
      ffmpeg,
      args: ladderArgs({ ...this.#plan, rungs }),
      source,
      outputs: rungs.length,
      mostMsInside,
      onConfig: (config, output) => this.#onRung(transcoder, rungs[output], config),
      onFrame: (frame, output) => {
        if (isFirst) ready();
        isFirst = false;
        this.#onRung(transcoder, rungs[output], clock.place(frame));
      },
      onEnd: () => undefined,
      onFault: (error) => log.error({ err: error }, 'ladder failed'),
    });
    onStarted(transcoder.ended);
    this.#run = { transcoder, clock, source, rungs };
    this.#owedSince = undefined;
    this.#waiting = new Set(rungs.map(({ lines }) => lines));
    const recent = this.#recent();
    for (const frame of recent) clock.feed(frame);
    transcoder.prime(recent);
    return {
      pid: transcoder.pid,
      ended: transcoder.ended,
      stop: () => transcoder.finish(),
      kill: () => transcoder.kill(),
    };
  }

  /**
   * Frames since the last keyframe, with which a child begins. It would be late with them: where the next keyframe comes soon the child starts
   * meanwhile, and is in time from there on.
   */
  #recent(): readonly MediaFrame[] {
    const recent = this.stream.cached().filter(({ kind }) => kind === 'video');
    const [before, last] = this.#keyframesMs;
    const goneMs = (recent.at(-1)?.dtsMs ?? last) - last;
    const isSoon = goneMs > youngMs && last - before - goneMs < soonMs;
    return isSoon ? [] : recent;
  }

  /** Of another child than the newest, too: one that is renewed still has some. */
  #onRung(from: Transcoder, rung: LadderRung | undefined, media: TrackConfig | MediaFrame): void {
    if (!rung || this.#isClosed || media.kind !== 'video' || from !== this.#run?.transcoder) return;
    const { qualities } = this.stream;
    if ('payload' in media) {
      this.#owedSince = undefined;
      if (this.#isPassed(rung.lines, media)) qualities.madeFrame(rung.lines, media);
    } else qualities.madeConfig(rung.lines, media);
  }

  /** A child begins with frames from the past. What viewers have already is not sent again, and what builds on it neither. */
  #isPassed(lines: number, { dtsMs, isKeyframe }: MediaFrame): boolean {
    const lastMs = this.#lastMs.get(lines) ?? Number.NEGATIVE_INFINITY;
    if (this.#isSeam || dtsMs < this.#seamMs || dtsMs <= lastMs) return false;
    if (this.#waiting.has(lines) && !isKeyframe) return false;
    this.#waiting.delete(lines);
    this.#lastMs.set(lines, dtsMs);
    return true;
  }

  #watch(isBusy: boolean): void {
    const now = performance.now();
    if (now - this.#sourceAt > pauseMs) this.#owedSince = undefined;
    this.#sourceAt = now;
    if (isBusy) this.#owedSince ??= now;
    const owedMs = now - (this.#owedSince ?? now);
    if (this.#process.phase === 'running' && owedMs > stallMs) this.#process.fail('no output');
  }
}

/** By which a plan and a stream belong together. */
export function ladderKey({ vhost, app, stream }: Pick<LadderPlan, 'vhost' | 'app' | 'stream'>): string {
  return streamKey({ vhost, app, name: stream });
}
