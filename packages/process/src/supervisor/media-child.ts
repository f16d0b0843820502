import { writeFileSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { WatchClock } from '@weir/plane';
import { elapsedMs } from '@weir/plane/elapsed';
import { Child, type ChildEnd, reportDescriptor } from '../child/child.ts';
import { type FailureCause, findFailureCause } from '../ffmpeg/failure-cause.ts';
import { ProgressParser, progressOptions } from '../ffmpeg/ffmpeg-progress.ts';
import type { ManagedChild } from '../managed/managed-process.ts';
import type { Progress } from './observed.ts';
import type { ProcessSpec } from './process-spec.ts';
import { ProgressMeter } from './progress-meter.ts';
import type { Timing } from './timing.ts';

export interface Verdict {
  readonly cause: FailureCause;
  readonly detail: string;
}

interface Options {
  readonly spec: ProcessSpec;
  readonly timing: Timing;
  /** Called when media time first advances. */
  readonly onReady: () => void;
  /** Called when it had its time, which is no failure. */
  readonly onOver: () => void;
  /** Called when it is not what it should be. */
  readonly onAbnormal: (verdict: Verdict) => void;
}

/** Warnings and worse, no banner, no keys: its standard error is for words that mean something. */
const quietly = ['-hide_banner', '-nostdin', '-loglevel', 'warning'] as const;
/** When the machine has no memory left, the kernel takes these before the server that starts them again. */
const oomScore = '500';

/** A child under watch: does media time advance, at the right speed, within its time and memory limits. */
export class MediaChild implements ManagedChild {
  readonly ended: Promise<ChildEnd>;
  readonly #options: Options;
  readonly #child: Child;
  readonly #meter: ProgressMeter;
  readonly #clock: WatchClock;
  readonly #startedMs = elapsedMs();
  readonly #watch: NodeJS.Timeout;
  #isReady = false;
  #failure: Verdict | undefined;
  #isJudged = false;

  constructor(options: Options) {
    this.#options = options;
    const { spec, timing } = options;
    const { command = 'ffmpeg', args, secrets = [], niceness, hidden } = spec;
    const { slowest, fastest, abnormalMs } = timing;
    this.#meter = new ProgressMeter({ slowest, fastest: spec.fastLimit ?? fastest, abnormalMs });
    this.#clock = new WatchClock(2 * timing.tickMs);
    const parser = new ProgressParser();
    const decoder = new StringDecoder('latin1');
    const takeReports = (chunk: Buffer) => {
      for (const report of parser.push(decoder.write(chunk))) {
        if (this.#meter.add(report, this.#clock.now(), new Date())) this.#ready();
      }
    };
    const takeOutput = spec.output?.();
    this.#child = new Child({
      command,
      args: command === 'ffmpeg' ? [...quietly, ...progressOptions(takeOutput && reportDescriptor), ...args] : args,
      secrets,
      // ffmpeg takes no notice of the end of its input, and finishes in order when it is asked by a signal.
      softStop: 'signal',
      graceMs: timing.graceMs,
      ...(niceness === undefined ? {} : { niceness }),
      ...(hidden === undefined ? {} : { hidden }),
      ...(takeOutput ? { onOutput: takeOutput, onReport: takeReports } : { onOutput: takeReports }),
    });
    offerToKernel(this.#child.pid);
    this.ended = this.#child.ended.then((end) => this.#end(end));
    this.#watch = setInterval(() => this.#check(), timing.tickMs);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get progress(): Progress | undefined {
    return this.#meter.progress;
  }

  /** Reason of the exit, once it ended. */
  get failure(): Verdict | undefined {
    return this.#failure;
  }

  said(): string[] {
    return this.#child.said();
  }

  stop(): void {
    this.#isJudged = true;
    void this.#child.stop();
  }

  kill(): void {
    this.#child.kill();
  }

  #ready(): void {
    if (this.#isReady || this.#isJudged) return;
    this.#isReady = true;
    this.#options.onReady();
  }

  #check(): void {
    if (this.#isJudged) return;
    const { spec, timing, onOver } = this.#options;
    const now = this.#clock.now();
    const moved = this.#meter.movedAtMs;
    const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;
    if (moved === undefined && now > timing.startMs) {
      this.#judge({ cause: 'timed-out', detail: `no progress within ${seconds(timing.startMs)}` });
    } else if (moved !== undefined && now - moved > timing.stallMs) {
      this.#judge({ cause: 'stalled', detail: `no progress for ${seconds(timing.stallMs)}` });
    } else if (spec.longestMs !== undefined && elapsedMs() - this.#startedMs > spec.longestMs) {
      this.#isJudged = true;
      onOver();
    } else {
      const abnormal = this.#meter.abnormal(now);
      const speed = this.progress?.speed ?? 0;
      if (abnormal) this.#judge({ cause: abnormal, detail: `ran at ${speed} times real-time speed` });
    }
  }

  #end(end: ChildEnd): ChildEnd {
    clearInterval(this.#watch);
    this.#failure = findFailureCause(this.said(), end);
    return end;
  }

  #judge(verdict: Verdict): void {
    this.#isJudged = true;
    this.#options.onAbnormal(verdict);
  }
}

function offerToKernel(pid: number | undefined): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, oomScore);
  } catch {
    // Gone already, no Linux, or not allowed in this container: it is a wish.
  }
}
