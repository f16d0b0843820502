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
  /** Called with the end of every child, so that closing can wait for all of them. */
  readonly onStarted: (ended: Promise<unknown>) => void;
}

/** Time without output, while input flows, after which the child counts as hanging. */
const stallMs = 4000;
/** Time for the first output. A busy machine needs long to start ffmpeg. */
const startMs = 30_000;
/** Pause of the source after which no output is expected. */
const pauseMs = 500;
/** Failures in a row after which the state is `failing`. The child is still restarted. */
const failingAfter = 2;
/**
 * Longest time that a frame may spend in the child. Later frames miss their segment, which waits 1.5 s for a rung. A child that is behind by more,
 * after its start or on a busy machine, catches up too slowly and would miss every segment. It is restarted at the next keyframe instead.
 */
const mostMsInside = 1200;
/** Age of a group of pictures up to which a new child can still encode it in time, and longest wait of a new child for the next one. */
const youngMs = 1000;
const soonMs = 2500;
/** Time after a left-out frame for which the machine counts as too slow. */
const behindMs = 10_000;
const longestReason = 300;
/** Time for which a ladder on demand continues after its last viewer, because players reconnect and people return. */
const lingerMs = 30_000;

/** A running child and its inputs. */
interface Run {
  readonly transcoder: Transcoder;
  readonly clock: RungClock;
  readonly source: VideoConfig;
  /** Rungs smaller than the source, in the order of the child's outputs. */
  readonly rungs: readonly LadderRung[];
}

/**
 * Encodes lower qualities of one stream: one ffmpeg decodes the stream once and encodes every rung. Frames go to it and come back by pipes.
 * Failures of the child do not affect the stream itself.
 */
export class Ladder implements Packager {
  readonly #options: Options;
  readonly #process: ManagedProcess;
  #plan: LadderPlan;
  #run: Run | undefined;
  #reason = '';
  /** True if the rungs or the source changed, so that a new child must start at the next keyframe. */
  #isRenewalDue = false;
  #isRenewing = false;
  #isSeam = false;
  #isClosed = false;
  /** Start of the stream after its last discontinuity. Earlier frames of rungs come too late. */
  #seamMs = Number.NEGATIVE_INFINITY;
  /** Time of the newest frame that was passed on, by the lines of the rung. */
  readonly #lastMs = new Map<number, number>();
  /** The last two keyframes of the source. */
  #keyframesMs: readonly [number, number] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  /** Rungs whose next frame must be a keyframe, by lines. */
  #waiting = new Set<number>();
  #sourceAt = 0;
  #unansweredSince: number | undefined;
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
        // The first line has the cause; the last one often only repeats it.
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

  /** Starts or ends a ladder on demand. Called once a second. */
  updateDemand(isWatched: boolean): void {
    if (isWatched) this.#watchedAt = performance.now();
    if (!this.#isWanted) void this.#process.end('nobody watches');
    else if (!this.#run && this.#isAtRest) this.#start();
  }

  /** Sets another plan, which takes effect at the next keyframe. */
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
      this.#onKeyframe(frame);
    }
    const run = this.#run;
    if (!run || this.#isRenewing) return;
    run.clock.add(frame);
    const { transcoder } = run;
    this.#watch(transcoder.feed(frame) || transcoder.isBehind);
    // Frames that a starting child leaves out do not mean that the machine is too slow.
    if (transcoder.isBehind && transcoder.hasOutput) this.#leftOutAt = performance.now();
  }

  onDiscontinuity(): void {
    this.#isSeam = true;
  }

  onLeave(): void {
    this.#isSeam = true;
    void this.#process.end('the publisher left');
  }

  /** Ends the ladder, with its stream or because it is not wanted any more. */
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

  /** Reason why the stream cannot have lower qualities; empty if it can. */
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

  #onKeyframe(frame: MediaFrame): void {
    const isWornOut = this.#run?.transcoder.isWorn(frame) === true;
    if (this.#run && (this.#isRenewalDue || isWornOut || this.stream.qualities.hasLayers)) void this.#renew();
    else if (!this.#run && this.#isAtRest) this.#start();
  }

  get #isAtRest(): boolean {
    const { phase, pauseMs: leftMs } = this.#process;
    return phase === 'idle' || (phase === 'backing-off' && leftMs === 0);
  }

  /** Replaces the child: the old one finishes its frames, then the new one begins with the present group of pictures. */
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
    this.#unansweredSince = undefined;
    this.#waiting = new Set(rungs.map(({ lines }) => lines));
    const recent = this.#recent();
    for (const frame of recent) clock.add(frame);
    transcoder.prime(recent);
    return {
      pid: transcoder.pid,
      ended: transcoder.ended,
      stop: () => transcoder.finish(),
      kill: () => transcoder.kill(),
    };
  }

  /**
   * Frames since the last keyframe, with which a child begins. Empty if the next keyframe is near: the child would be late with these frames,
   * and is in time from that keyframe on.
   */
  #recent(): readonly MediaFrame[] {
    const recent = this.stream.cached().filter(({ kind }) => kind === 'video');
    const [before, last] = this.#keyframesMs;
    const goneMs = (recent.at(-1)?.dtsMs ?? last) - last;
    const isSoon = goneMs > youngMs && last - before - goneMs < soonMs;
    return isSoon ? [] : recent;
  }

  /** Passes on what a child encoded, unless another child has replaced it. */
  #onRung(from: Transcoder, rung: LadderRung | undefined, media: TrackConfig | MediaFrame): void {
    if (!rung || this.#isClosed || media.kind !== 'video' || from !== this.#run?.transcoder) return;
    const { qualities } = this.stream;
    if ('payload' in media) {
      this.#unansweredSince = undefined;
      if (this.#isNew(rung.lines, media)) qualities.madeFrame(rung.lines, media);
    } else qualities.madeConfig(rung.lines, media);
  }

  /** False for frames that viewers already have, and for those that depend on them: a new child begins with earlier frames. */
  #isNew(lines: number, { dtsMs, isKeyframe }: MediaFrame): boolean {
    const lastMs = this.#lastMs.get(lines) ?? Number.NEGATIVE_INFINITY;
    if (this.#isSeam || dtsMs < this.#seamMs || dtsMs <= lastMs) return false;
    if (this.#waiting.has(lines) && !isKeyframe) return false;
    this.#waiting.delete(lines);
    this.#lastMs.set(lines, dtsMs);
    return true;
  }

  #watch(isBusy: boolean): void {
    const now = performance.now();
    if (now - this.#sourceAt > pauseMs) this.#unansweredSince = undefined;
    this.#sourceAt = now;
    if (isBusy) this.#unansweredSince ??= now;
    const owedMs = now - (this.#unansweredSince ?? now);
    if (this.#process.phase === 'running' && owedMs > stallMs) this.#process.fail('no output');
  }
}

/** Key that a plan and its stream have in common. */
export function ladderKey({ vhost, app, stream }: Pick<LadderPlan, 'vhost' | 'app' | 'stream'>): string {
  return streamKey({ vhost, app, name: stream });
}
