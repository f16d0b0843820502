import { setTimeout as sleep } from 'node:timers/promises';
import { elapsedMs } from '@weir/plane/elapsed';
import { errorMessage } from '@weir/plane/error-message';
import type { ProcessExit } from '@weir/streams';
import type { ChildEnd } from '../child/child.ts';
import { BackOff, type BackOffOptions } from './back-off.ts';
import { residentBytes } from './resident-bytes.ts';

/** `idle`: none runs, and none will start by itself. */
export type ProcessPhase = 'idle' | 'starting' | 'running' | 'backing-off' | 'stopping';

/** One process that was started. */
export interface ManagedChild {
  readonly pid: number | undefined;
  /** Never rejects. */
  readonly ended: Promise<Pick<ChildEnd, 'code' | 'signal' | 'reason'>>;
  /** Asks the process to exit, and kills it after a timeout. */
  stop(): unknown;
  kill(): void;
}

/** One run, for the function that starts it. */
export interface ProcessRun<Facts> {
  /** Aborted when the run is over. */
  readonly signal: AbortSignal;
  ready(facts: Facts): void;
}

interface ProcessClock {
  elapsedMs(): number;
  dateMs(): number;
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

export interface ManagedProcessOptions<Facts> {
  /** Starts the child. Rejects where there is none to start. */
  readonly start: (run: ProcessRun<Facts>) => ManagedChild | Promise<ManagedChild>;
  readonly backOff: BackOffOptions;
  /** Kills a process that is not ready by then. Left out: the owner watches that. */
  readonly ready?: { readonly withinMs: number; readonly reason: () => string };
  /** Idle time after which the process stops. */
  readonly idle?: { readonly afterMs: number; readonly isUsed: () => boolean };
  readonly memory?: MemoryLimit;
  /** Interval between checks of use and memory. */
  readonly tickMs?: number;
  /** Called once per exit. `pauseMs`: delay before the next start; 0 after a requested exit. */
  readonly onExit?: (exit: ProcessExit, facts: { readonly pauseMs: number; readonly wasReady: boolean }) => void;
  readonly onReady?: () => void;
  /** Called when the delay after a failure is over. Left out: the next `start` waits for it. */
  readonly onDue?: () => void;
  readonly clock?: ProcessClock;
}

interface MemoryLimit {
  readonly limits: () => Promise<{ readonly mostBytes: number; readonly idleBytes: number }>;
  /** From the process itself, where the system does not tell. */
  readonly measure?: () => number | undefined;
  /** True: killed and counted as a failure. False: ended in order, for the next start to begin small. */
  readonly isFailure: boolean;
}

interface Run<Facts> {
  readonly startedAtMs: number;
  readonly ready: PromiseWithResolvers<Facts>;
  readonly gone: PromiseWithResolvers<void>;
  readonly over: AbortController;
  child: ManagedChild | undefined;
  readyMs: number | undefined;
  readyAtMs: number | undefined;
  usedMs: number;
  ending: { readonly reason: string; readonly isFailure: boolean } | undefined;
}

/** Reason of a process that exceeded its memory limit. */
export const tooMuchMemory = 'used too much memory';
const mostRecent = 100;
const systemClock: ProcessClock = {
  elapsedMs,
  dateMs: () => Date.now(),
  pause: (ms, signal) => sleep(ms, undefined, { signal }),
};

/**
 * A process that is started, watched until it is ready, ended when it is idle or too large, and started again with growing delays after
 * a failure. Never more than one child at a time.
 */
export class ManagedProcess<Facts = void> {
  readonly #options: ManagedProcessOptions<Facts>;
  readonly #clock: ProcessClock;
  readonly #backOff: BackOff;
  readonly #closing = new AbortController();
  #pausing = new AbortController();
  #run: Run<Facts> | undefined;
  #startedAtMs = 0;
  #phaseAtMs: number;
  /** Undefined where no start is delayed. */
  #notBeforeMs: number | undefined;
  #starts = 0;
  #lastExit: ProcessExit | undefined;
  #failures: ProcessExit[] = [];

  constructor(options: ManagedProcessOptions<Facts>) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#backOff = new BackOff(options.backOff);
    this.#phaseAtMs = this.#clock.dateMs();
  }

  get phase(): ProcessPhase {
    const run = this.#run;
    if (run) return run.ending ? 'stopping' : run.readyMs === undefined ? 'starting' : 'running';
    const isDelayed = this.#options.onDue ? this.#notBeforeMs !== undefined : this.pauseMs > 0;
    return isDelayed ? 'backing-off' : 'idle';
  }

  get state() {
    const run = this.#run;
    return {
      phase: this.phase,
      since: new Date(this.#phaseAtMs),
      pid: run?.child?.pid,
      /** Times of the running process, or of the last one. */
      startedAtMs: this.#startedAtMs,
      readyAtMs: run?.readyAtMs,
      starts: this.#starts,
      /** Consecutive failures. */
      failures: this.#backOff.failures,
      lastExit: this.#lastExit,
      lastFailure: this.#failures.at(-1),
    };
  }

  /** Time until a start is allowed. */
  get pauseMs(): number {
    return Math.max(0, (this.#notBeforeMs ?? 0) - this.#clock.elapsedMs());
  }

  /** Resolves when the process that runs now is gone. */
  get gone(): Promise<void> {
    return this.#run?.gone.promise ?? Promise.resolve();
  }

  /** Unexpected exits within this time, at most a hundred. */
  recentFailures(withinMs: number): readonly ProcessExit[] {
    const sinceMs = this.#clock.dateMs() - withinMs;
    this.#failures = this.#failures.filter(
      ({ at }, index) => index === this.#failures.length - 1 || Date.parse(at) > sinceMs,
    );
    return this.#failures.filter(({ at }) => Date.parse(at) > sinceMs);
  }

  /** Resolves when the process serves: the one that runs, or a new one after the delay of a failure. */
  async start({ isNow = false } = {}): Promise<Facts> {
    for (;;) {
      if (this.#closing.signal.aborted) throw new Error('stopped');
      const run = this.#run;
      if (run && !run.ending) return run.ready.promise;
      if (run) await run.gone.promise;
      else if (!isNow && this.pauseMs > 0)
        await this.#clock.pause(this.pauseMs, this.#closing.signal).catch(() => undefined);
      else return this.#launch().ready.promise;
    }
  }

  /** Restarts the idle time. */
  touch(): void {
    if (this.#run) this.#run.usedMs = this.#clock.elapsedMs();
  }

  /** Earlier failures no longer count. */
  forgive(): void {
    this.#backOff.reset();
  }

  /** No start is due any more. */
  cancelDelay(): void {
    this.#pausing.abort();
    if (this.#notBeforeMs === undefined) return;
    this.#notBeforeMs = undefined;
    this.#phaseAtMs = this.#clock.dateMs();
  }

  /** Ends the process in order; resolves when it is gone. */
  async end(reason: string): Promise<void> {
    const run = this.#run;
    if (!run) return;
    this.#finish(run, { reason, isFailure: false });
    await run.gone.promise;
  }

  /** Ends the process because it is not what it should be. */
  fail(reason: string, how: 'stop' | 'kill' = 'kill'): void {
    const run = this.#run;
    if (!run) return;
    this.#finish(run, { reason, isFailure: true });
    if (how === 'kill') run.child?.kill();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.cancelDelay();
    await this.end('stopped');
  }

  #launch(): Run<Facts> {
    this.cancelDelay();
    const run: Run<Facts> = {
      startedAtMs: this.#clock.dateMs(),
      ready: Promise.withResolvers<Facts>(),
      gone: Promise.withResolvers<void>(),
      over: new AbortController(),
      child: undefined,
      readyMs: undefined,
      readyAtMs: undefined,
      usedMs: this.#clock.elapsedMs(),
      ending: undefined,
    };
    // Callers that wait see the rejection; there may be none.
    run.ready.promise.catch(() => undefined);
    this.#run = run;
    this.#starts += 1;
    this.#startedAtMs = run.startedAtMs;
    this.#phaseAtMs = run.startedAtMs;
    const cannotStart = (error: unknown) => this.#ended(run, { code: null, signal: null, reason: errorMessage(error) });
    try {
      const child = this.#options.start({ signal: run.over.signal, ready: (facts) => this.#ready(run, facts) });
      if (child instanceof Promise) child.then((started) => this.#attach(run, started), cannotStart);
      else this.#attach(run, child);
    } catch (error) {
      cannotStart(error);
    }
    return run;
  }

  #attach(run: Run<Facts>, child: ManagedChild): void {
    run.child = child;
    void child.ended.then((end) => this.#ended(run, end));
    // Its end was requested while it was prepared.
    if (run.over.signal.aborted) child.kill();
    void this.#limitStart(run);
    void this.#watch(run);
  }

  #ready(run: Run<Facts>, facts: Facts): void {
    if (run.readyMs !== undefined || run.ending || run !== this.#run) return;
    run.readyMs = this.#clock.elapsedMs();
    run.readyAtMs = this.#clock.dateMs();
    this.#phaseAtMs = run.readyAtMs;
    run.ready.resolve(facts);
    this.#options.onReady?.();
  }

  async #limitStart(run: Run<Facts>): Promise<void> {
    const { ready } = this.#options;
    if (!ready) return;
    await this.#clock.pause(ready.withinMs, run.over.signal).catch(() => undefined);
    if (run.readyMs === undefined && run === this.#run) this.fail(ready.reason());
  }

  async #watch(run: Run<Facts>): Promise<void> {
    const { idle, memory, tickMs = 1000 } = this.#options;
    if (!idle && !memory) return;
    for (;;) {
      await this.#clock.pause(tickMs, run.over.signal).catch(() => undefined);
      const limits = await memory?.limits();
      if (run !== this.#run || run.ending) return;
      const isUsed = idle?.isUsed() ?? true;
      if (isUsed) run.usedMs = this.#clock.elapsedMs();
      const limitBytes = (isUsed ? limits?.mostBytes : limits?.idleBytes) ?? Number.POSITIVE_INFINITY;
      const bytes =
        limitBytes < Number.POSITIVE_INFINITY ? (memory?.measure?.() ?? residentBytes(run.child?.pid) ?? 0) : 0;
      if (bytes > limitBytes) this.#outgrown(run);
      else if (idle && this.#clock.elapsedMs() - run.usedMs >= idle.afterMs)
        this.#finish(run, { reason: 'idle', isFailure: false });
    }
  }

  #outgrown(run: Run<Facts>): void {
    const isFailure = this.#options.memory?.isFailure ?? true;
    this.#finish(run, { reason: tooMuchMemory, isFailure });
    if (isFailure) run.child?.kill();
  }

  #finish(run: Run<Facts>, ending: NonNullable<Run<Facts>['ending']>): void {
    if (!run.ending) this.#phaseAtMs = this.#clock.dateMs();
    run.ending ??= ending;
    if (run.child) run.child.stop();
    else this.#ended(run, { code: null, signal: null, reason: ending.reason });
  }

  #ended(run: Run<Facts>, end: Awaited<ManagedChild['ended']>): void {
    if (this.#run !== run) return;
    this.#run = undefined;
    run.over.abort();
    this.#phaseAtMs = this.#clock.dateMs();
    const { ending, readyMs } = run;
    const wanted = ending !== undefined && !ending.isFailure;
    const reason = ending?.reason ?? end.reason;
    const { code, signal } = end;
    const exit: ProcessExit = { at: new Date(this.#clock.dateMs()).toISOString(), wanted, code, signal, reason };
    this.#lastExit = exit;
    const pauseMs = wanted || this.#closing.signal.aborted ? 0 : this.#delay(exit, readyMs);
    run.ready.reject(new Error(reason));
    run.gone.resolve();
    this.#options.onExit?.(exit, { pauseMs, wasReady: readyMs !== undefined });
  }

  #delay(exit: ProcessExit, readyMs: number | undefined): number {
    const nowMs = this.#clock.elapsedMs();
    const pauseMs = Math.round(this.#backOff.next(readyMs === undefined ? 0 : nowMs - readyMs));
    this.#failures = [...this.#failures.slice(1 - mostRecent), exit];
    this.#notBeforeMs = nowMs + pauseMs;
    this.#pausing = new AbortController();
    const { onDue } = this.#options;
    if (onDue) void this.#clock.pause(pauseMs, this.#pausing.signal).then(onDue, () => undefined);
    return pauseMs;
  }
}
