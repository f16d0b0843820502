import { readFileSync, writeFileSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { WatchClock } from '@weir/plane';
import { elapsedMs } from '@weir/plane/elapsed';
import { Child, type ChildEnd, reportDescriptor } from '../child/child.ts';
import { type FailureCause, findFailureCause } from '../ffmpeg/failure-cause.ts';
import { ProgressParser, progressOptions } from '../ffmpeg/ffmpeg-progress.ts';
import type { Progress } from './observed.ts';
import type { ProcessSpec } from './process-spec.ts';
import { ProgressMeter } from './progress-meter.ts';
import type { Timing } from './timing.ts';

/** `failed`: of itself, or because it was not what it should be. `asked`: we wanted its end. `long`: it had its time. */
export type RunEnd =
  | { readonly kind: 'asked' | 'long'; readonly liveMs: number }
  | { readonly kind: 'failed'; readonly cause: FailureCause; readonly detail: string; readonly liveMs: number };

interface Options {
  readonly spec: ProcessSpec;
  readonly timing: Timing;
  /** Called when media time first advances. */
  readonly onReady: () => void;
  readonly onEnd: (end: RunEnd) => void;
}

type Verdict = { readonly cause: FailureCause; readonly detail: string } | 'asked' | 'long';

/** Warnings and worse, no banner, no keys: its standard error is for words that mean something. */
const quietly = ['-hide_banner', '-nostdin', '-loglevel', 'warning'] as const;
/** When the machine has no memory left, the kernel takes these before the server that starts them again. */
const oomScore = '500';

/** One run of a child under watch: does media time advance, at the right speed, within its time and memory limits. */
export class Run {
  readonly startedAt = new Date();
  readonly ended: Promise<void>;
  readonly #options: Options;
  readonly #child: Child;
  readonly #meter: ProgressMeter;
  readonly #clock: WatchClock;
  readonly #startedMs = elapsedMs();
  readonly #watch: NodeJS.Timeout;
  #readyMs: number | undefined;
  #readyAt: Date | undefined;
  #verdict: Verdict | undefined;

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

  get readyAt(): Date | undefined {
    return this.#readyAt;
  }

  get progress(): Progress | undefined {
    return this.#meter.progress;
  }

  get liveMs(): number {
    return this.#readyMs === undefined ? 0 : elapsedMs() - this.#readyMs;
  }

  said(): string[] {
    return this.#child.said();
  }

  /** Asks for its end. */
  stop(): void {
    this.#stop('asked');
  }

  #ready(): void {
    if (this.#readyMs !== undefined || this.#verdict !== undefined) return;
    this.#readyMs = elapsedMs();
    this.#readyAt = new Date();
    this.#options.onReady();
  }

  #check(): void {
    if (this.#verdict !== undefined) return;
    const { spec, timing } = this.#options;
    const now = this.#clock.now();
    const moved = this.#meter.movedAtMs;
    const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;
    if (moved === undefined && now > timing.startMs) {
      this.#stop({ cause: 'timed-out', detail: `no progress within ${seconds(timing.startMs)}` });
    } else if (moved !== undefined && now - moved > timing.stallMs) {
      this.#stop({ cause: 'stalled', detail: `no progress for ${seconds(timing.stallMs)}` });
    } else if (spec.longestMs !== undefined && elapsedMs() - this.#startedMs > spec.longestMs) {
      this.#stop('long');
    } else if (spec.memoryBytes !== undefined && residentBytes(this.pid) > spec.memoryBytes) {
      const megabytes = Math.round(spec.memoryBytes / 2 ** 20);
      this.#stop({ cause: 'out-of-memory', detail: `exceeded the memory limit of ${megabytes} MB` });
      // The next property may be missing.
      this.#child.kill();
    } else {
      const abnormal = this.#meter.abnormal(now);
      const speed = this.progress?.speed ?? 0;
      if (abnormal) this.#stop({ cause: abnormal, detail: `ran at ${speed} times real-time speed` });
    }
  }

  #stop(verdict: Verdict): void {
    this.#verdict ??= verdict;
    void this.#child.stop();
  }

  #end(end: ChildEnd): void {
    clearInterval(this.#watch);
    const { liveMs } = this;
    const verdict = this.#verdict ?? findFailureCause(this.said(), end);
    if (verdict === 'asked' || verdict === 'long') this.#options.onEnd({ kind: verdict, liveMs });
    else this.#options.onEnd({ kind: 'failed', ...verdict, liveMs });
  }
}

/**
 * Resident memory. The kernel could enforce a limit of address space, but ffmpeg's threads reserve far more than they
 * use, so no such limit would fit.
 */
function residentBytes(pid: number | undefined): number {
  try {
    // In kilobytes; other files there count pages, whose size differs from machine to machine.
    const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    // Gone already, or no Linux: then nothing is known.
    return 0;
  }
}

function offerToKernel(pid: number | undefined): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, oomScore);
  } catch {
    // Gone already, no Linux, or not allowed in this container: it is a wish.
  }
}
