import type { Log } from '@weir/plane';
import type { ProcessExit } from '@weir/streams';
import { ManagedProcess, type ProcessRun, tooMuchMemory } from '../managed/managed-process.ts';
import { MediaChild, type Verdict } from './media-child.ts';
import type { Failure, Observed, Progress, WorkChange } from './observed.ts';
import { type Exchange, fingerprint, PrepareError, type ProcessSpec } from './process-spec.ts';
import type { Timing } from './timing.ts';

const mostLines = 100;

interface Options {
  readonly key: string;
  readonly log: Log;
  readonly timing: Timing;
  readonly exchange?: Exchange | undefined;
  /** Called after a pause. The owner plans again, then calls `resume`. */
  readonly onDue: () => void;
  readonly onChange?: ((change: WorkChange) => void) | undefined;
}

/**
 * The spec planned under one key, and its child: never more than one. Every change goes through `want`, every end
 * through `#exited`, so one child is gone before the next starts.
 */
export class Job {
  readonly #options: Options;
  readonly #log: Log;
  readonly #process: ManagedProcess;
  #spec: ProcessSpec | undefined;
  #child: MediaChild | undefined;
  /** Reason for ending the child or for not starting it. */
  #verdict: Verdict | undefined;
  /** Stream that the last run was for, kept for its end, when there may be no spec any more. */
  #runsFor: string | undefined;
  #makes: string | undefined;
  #wasLive = false;
  #isReplaced = false;
  #failure: Failure | undefined;
  #failingSince: Date | undefined;
  #isDue = false;
  #healthy: NodeJS.Timeout | undefined;
  #earlier: string[] = [];

  constructor(options: Options) {
    this.#options = options;
    this.#log = options.log.child({ job: options.key });
    const { firstPauseMs, longestPauseMs, healthyMs } = options.timing;
    this.#process = new ManagedProcess({
      backOff: { firstMs: firstPauseMs, mostMs: longestPauseMs, healthyMs },
      start: (run) => this.#start(run),
      tickMs: options.timing.tickMs,
      memory: {
        isFailure: true,
        limits: async () => {
          const bytes = this.#spec?.memoryBytes ?? Number.POSITIVE_INFINITY;
          return { mostBytes: bytes, idleBytes: bytes };
        },
      },
      onReady: () => this.#ready(),
      onExit: (exit, { wasReady }) => this.#exited(exit, wasReady),
      onDue: () => {
        this.#isDue = true;
        options.onDue();
      },
    });
  }

  /** True if nothing is wanted and nothing runs. */
  get isIdle(): boolean {
    return this.#spec === undefined && this.#process.phase === 'idle';
  }

  /** Without the cost of `observe`, which copies lines: this is read each second. */
  get progress(): Progress | undefined {
    return this.#process.phase === 'running' ? this.#child?.progress : undefined;
  }

  /** Applies a spec: the same one changes nothing, another one replaces the child, undefined ends it. */
  want(spec: ProcessSpec | undefined): void {
    const before = this.#spec;
    this.#spec = spec;
    const isSame = before !== undefined && spec !== undefined && fingerprint(before) === fingerprint(spec);
    const isForAnother = before?.runsFor !== spec?.runsFor;
    if (isSame && !(isForAnother && this.#process.phase === 'backing-off')) return;
    // Earlier failures do not count for a spec that is wanted again or has other arguments.
    if (!isSame) this.#wasLive = false;
    this.#forgive();
    this.#replace();
  }

  /** Ends the child and starts it again, or ends a pause. No effect without a spec. */
  restart(): void {
    if (this.#spec) this.#replace();
  }

  /** Starts the child after `onDue`. */
  resume(): void {
    if (this.#isDue && this.#process.phase === 'backing-off') this.#launch();
  }

  observe(): Observed {
    const { phase, since, pid, startedAtMs, readyAtMs, failures, starts, lastExit } = this.#process.state;
    const isRunning = this.#child !== undefined;
    const { pauseMs } = this.#process;
    return {
      phase,
      since,
      pid,
      startedAt: isRunning ? new Date(startedAtMs) : undefined,
      readyAt: readyAtMs === undefined ? undefined : new Date(readyAtMs),
      progress: this.#child?.progress,
      failures,
      failingSince: this.#failingSince,
      starts,
      wasLive: this.#wasLive,
      failure: this.#failure,
      lastExit,
      nextTryAt: phase === 'backing-off' ? new Date(Date.now() + pauseMs) : undefined,
      lines: [...this.#earlier, ...(this.#child?.said() ?? [])].slice(-mostLines),
    };
  }

  /** Ends the job. Resolves when its child is gone. */
  async close(): Promise<void> {
    this.want(undefined);
    await this.#process.close();
  }

  /** Ends what runs; its exit starts what is wanted then. */
  #replace(): void {
    const { phase } = this.#process;
    if (phase === 'idle' || phase === 'backing-off') {
      this.#process.cancelDelay();
      this.#launch();
    } else {
      this.#isReplaced = true;
      void this.#process.end('stopped');
    }
  }

  #launch(): void {
    if (!this.#spec) return;
    this.#isDue = false;
    this.#process.start({ isNow: true }).catch(() => undefined);
  }

  #start(run: ProcessRun<void>): MediaChild | Promise<MediaChild> {
    const spec = this.#spec;
    if (!spec) throw new Error('nothing is wanted');
    this.#verdict = undefined;
    this.#isReplaced = false;
    this.#note('started');
    this.#runsFor = spec.runsFor;
    this.#makes = spec.makes;
    if (spec.prepare) return this.#prepare(spec, spec.prepare, run);
    try {
      return this.#spawn(spec, run);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async #prepare(
    spec: ProcessSpec,
    prepare: NonNullable<ProcessSpec['prepare']>,
    run: ProcessRun<void>,
  ): Promise<MediaChild> {
    try {
      const prepared = await prepare();
      run.signal.throwIfAborted();
      return this.#spawn({ ...spec, ...prepared }, run);
    } catch (error) {
      if (run.signal.aborted || this.#verdict) throw error;
      const isKnown = error instanceof PrepareError;
      if (!isKnown) this.#log.warn({ err: error }, 'process could not be prepared');
      const cause = isKnown ? error.failure : 'unknown';
      this.#verdict = { cause, detail: isKnown ? error.message : 'could not be started, see the server log' };
      throw error;
    }
  }

  #spawn(spec: ProcessSpec, run: ProcessRun<void>): MediaChild {
    try {
      const child = new MediaChild({
        spec: this.#exchanged(spec),
        timing: this.#options.timing,
        onReady: () => run.ready(),
        onOver: () => void this.#process.end('ran for its longest time'),
        onAbnormal: (verdict) => {
          this.#verdict = verdict;
          this.#process.fail(verdict.detail, 'stop');
        },
      });
      this.#child = child;
      this.#log.info({ pid: child.pid, starts: this.#process.state.starts }, 'process started');
      return child;
    } catch {
      // Arguments that no program can be given. What Node says of them would repeat the secrets in them.
      this.#verdict = { cause: 'address-invalid', detail: 'the arguments contain invalid characters' };
      throw new Error(this.#verdict.detail);
    }
  }

  #exchanged(spec: ProcessSpec): ProcessSpec {
    const { exchange } = this.#options;
    if (!exchange) return spec;
    return { ...spec, args: spec.args.map(exchange), ...(spec.secrets && { secrets: spec.secrets.map(exchange) }) };
  }

  #ready(): void {
    this.#wasLive = true;
    this.#emit('started');
    this.#healthy = setTimeout(() => this.#forgive(), this.#options.timing.healthyMs);
  }

  #exited(exit: ProcessExit, wasReady: boolean): void {
    const said = this.#child?.said() ?? [];
    const isWanted = exit.wanted || this.#isReplaced;
    const verdict = this.#judge(exit);
    this.#child = undefined;
    clearTimeout(this.#healthy);
    this.#earlier.push(...said);
    this.#note(isWanted ? 'ended' : `failed: ${verdict.cause}`);
    this.#log.info(
      { end: isWanted ? 'asked' : 'failed', ...(isWanted ? {} : { cause: verdict.cause }) },
      'process ended',
    );
    if (!this.#spec) {
      if (wasReady) this.#emit('ended');
      this.#process.cancelDelay();
    } else if (isWanted) {
      // A child that failed while it was replaced says nothing about the next one.
      if (this.#isReplaced) this.#process.forgive();
      this.#launch();
    } else {
      this.#failure = { ...verdict, at: new Date() };
      this.#emit('failed', this.#failure);
      if (this.#process.state.failures === 1) this.#failingSince = this.#failure.at;
    }
  }

  #judge({ reason }: ProcessExit): Verdict {
    const { memoryBytes = 0 } = this.#spec ?? {};
    if (reason === tooMuchMemory) {
      return { cause: 'out-of-memory', detail: `exceeded the memory limit of ${Math.round(memoryBytes / 2 ** 20)} MB` };
    }
    return this.#verdict ?? this.#child?.failure ?? { cause: 'unknown', detail: reason };
  }

  #forgive(): void {
    this.#process.forgive();
    this.#failure = undefined;
    this.#failingSince = undefined;
  }

  #emit(what: WorkChange['what'], failure?: Failure): void {
    const { runsFor = this.#runsFor, makes = this.#makes } = this.#spec ?? {};
    this.#options.onChange?.({ key: this.#options.key, what, runsFor, makes, failure });
  }

  #note(what: string): void {
    this.#earlier.push(`--- ${new Date().toISOString()} ${what}`);
    this.#earlier = this.#earlier.slice(-mostLines);
  }
}
