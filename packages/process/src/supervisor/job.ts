import type { Log } from '@weir/plane';
import { BackOff } from './back-off.ts';
import type { Failure, Observed, Phase, WorkChange } from './observed.ts';
import { type Exchange, fingerprint, PrepareError, type ProcessSpec } from './process-spec.ts';
import { Run, type RunEnd } from './run.ts';
import type { Timing } from './timing.ts';

const mostLines = 100;

interface Options {
  readonly key: string;
  readonly log: Log;
  readonly timing: Timing;
  readonly exchange?: Exchange | undefined;
  /** A pause is over. Whoever owns the job plans anew, then calls `resume`. */
  readonly onDue: () => void;
  readonly onChange?: ((change: WorkChange) => void) | undefined;
}

/**
 * The spec planned under one key, and its child: never more than one. Every change goes through `want`, every end
 * through `#ended`, so one child is gone before the next starts.
 */
export class Job {
  readonly #options: Options;
  readonly #log: Log;
  readonly #backOff: BackOff;
  #spec: ProcessSpec | undefined;
  #run: Run | undefined;
  /** Ends with the run; nothing may be planned after it. */
  #runsFor: string | undefined;
  #makes: string | undefined;
  #phase: Phase = 'idle';
  #since = new Date();
  #starts = 0;
  #wasLive = false;
  #failure: Failure | undefined;
  #failingSince: Date | undefined;
  #pause: NodeJS.Timeout | undefined;
  #nextTryAt: Date | undefined;
  #isDue = false;
  /** The start that is being prepared; another one in its place means that nobody waits for it any more. */
  #preparing: object | undefined;
  #healthy: NodeJS.Timeout | undefined;
  #earlier: string[] = [];

  constructor(options: Options) {
    this.#options = options;
    this.#log = options.log.child({ job: options.key });
    const { firstPauseMs, longestPauseMs, healthyMs } = options.timing;
    this.#backOff = new BackOff({ firstMs: firstPauseMs, mostMs: longestPauseMs, healthyMs });
  }

  /** True if nothing is wanted and nothing runs. */
  get isIdle(): boolean {
    return this.#spec === undefined && this.#run === undefined;
  }

  /** Makes it so: the same spec changes nothing, another replaces the child, none ends it. */
  want(spec: ProcessSpec | undefined): void {
    const before = this.#spec;
    this.#spec = spec;
    const isSame = before !== undefined && spec !== undefined && fingerprint(before) === fingerprint(spec);
    const isForAnother = before?.runsFor !== spec?.runsFor;
    if (isSame && !(isForAnother && this.#phase === 'backing-off')) return;
    // Wanted anew, otherwise or for another: what was tried before says nothing about it.
    if (!isSame) this.#wasLive = false;
    this.#forgive();
    if (this.#run) this.#stop();
    else if (spec) this.#start();
    else this.#rest();
  }

  /** Ends the child and starts it again, or ends a pause. Of no effect where nothing is wanted. */
  restart(): void {
    if (this.#run) this.#stop();
    else if (this.#spec) this.#start();
  }

  /** After `onDue`. */
  resume(): void {
    if (this.#isDue && this.#phase === 'backing-off') this.#start();
  }

  observe(): Observed {
    const run = this.#run;
    return {
      phase: this.#phase,
      since: this.#since,
      pid: run?.pid,
      startedAt: run?.startedAt,
      readyAt: run?.readyAt,
      progress: run?.progress,
      failures: this.#backOff.failures,
      failingSince: this.#failingSince,
      starts: this.#starts,
      wasLive: this.#wasLive,
      failure: this.#failure,
      nextTryAt: this.#nextTryAt,
      lines: [...this.#earlier, ...(run?.said() ?? [])].slice(-mostLines),
    };
  }

  /** Resolves when its child is gone. */
  async close(): Promise<void> {
    this.want(undefined);
    await this.#run?.ended;
  }

  #start(): void {
    const spec = this.#spec;
    if (!spec) return;
    this.#rest();
    this.#enter('starting');
    this.#starts += 1;
    this.#note('started');
    this.#runsFor = spec.runsFor;
    this.#makes = spec.makes;
    if (spec.prepare) void this.#prepare(spec, spec.prepare);
    else this.#launch(spec);
  }

  async #prepare(spec: ProcessSpec, prepare: NonNullable<ProcessSpec['prepare']>): Promise<void> {
    const turn = {};
    this.#preparing = turn;
    try {
      const prepared = await prepare();
      if (this.#preparing === turn) this.#launch({ ...spec, ...prepared });
    } catch (error) {
      if (this.#preparing !== turn) return;
      const isKnown = error instanceof PrepareError;
      if (!isKnown) this.#log.warn({ err: error }, 'process could not be prepared');
      const cause = isKnown ? error.failure : 'unknown';
      const detail = isKnown ? error.message : 'could not be started, see the server log';
      this.#ended({ kind: 'failed', cause, detail, liveMs: 0 });
    }
  }

  #launch(spec: ProcessSpec): void {
    this.#preparing = undefined;
    try {
      this.#run = new Run({
        spec: this.#exchanged(spec),
        timing: this.#options.timing,
        onReady: () => this.#ready(),
        onEnd: (end) => this.#ended(end),
      });
    } catch {
      // Arguments that no program can be given. What Node says of them would repeat the secrets in them.
      const detail = 'the arguments contain invalid characters';
      this.#ended({ kind: 'failed', cause: 'address-invalid', detail, liveMs: 0 });
      return;
    }
    this.#log.info({ pid: this.#run.pid, starts: this.#starts }, 'process started');
  }

  #exchanged(spec: ProcessSpec): ProcessSpec {
    const { exchange } = this.#options;
    if (!exchange) return spec;
    return { ...spec, args: spec.args.map(exchange), ...(spec.secrets && { secrets: spec.secrets.map(exchange) }) };
  }

  #ready(): void {
    if (this.#phase !== 'starting') return;
    this.#wasLive = true;
    this.#enter('running');
    this.#tell('started');
    this.#healthy = setTimeout(() => this.#forgive(), this.#options.timing.healthyMs);
  }

  #stop(): void {
    if (this.#phase !== 'stopping') this.#enter('stopping');
    this.#run?.stop();
  }

  #ended(end: RunEnd): void {
    const said = this.#run?.said() ?? [];
    this.#run = undefined;
    this.#preparing = undefined;
    const wasLive = this.#phase === 'running' || this.#phase === 'stopping';
    clearTimeout(this.#healthy);
    this.#earlier.push(...said);
    this.#note(end.kind === 'failed' ? `failed: ${end.cause}` : 'ended');
    this.#log.info({ end: end.kind, ...(end.kind === 'failed' ? { cause: end.cause } : {}) }, 'process ended');
    if (!this.#spec) {
      if (wasLive) this.#tell('ended');
      this.#rest();
    } else if (end.kind !== 'failed' || this.#phase === 'stopping') {
      this.#start();
    } else {
      const { cause, detail, liveMs } = end;
      const pauseMs = this.#backOff.next(liveMs);
      this.#failure = { cause, detail, at: new Date() };
      this.#tell('failed', this.#failure);
      if (this.#backOff.failures === 1) this.#failingSince = this.#failure.at;
      this.#backOffFor(pauseMs);
    }
  }

  #backOffFor(pauseMs: number): void {
    this.#enter('backing-off');
    this.#nextTryAt = new Date(Date.now() + pauseMs);
    this.#pause = setTimeout(() => {
      this.#isDue = true;
      this.#options.onDue();
    }, pauseMs);
  }

  #forgive(): void {
    this.#backOff.reset();
    this.#failure = undefined;
    this.#failingSince = undefined;
  }

  /** Out of whatever pause it is in. */
  #rest(): void {
    clearTimeout(this.#pause);
    this.#preparing = undefined;
    this.#isDue = false;
    this.#nextTryAt = undefined;
    if (this.#phase !== 'idle') this.#enter('idle');
  }

  #tell(what: WorkChange['what'], failure?: Failure): void {
    const { runsFor = this.#runsFor, makes = this.#makes } = this.#spec ?? {};
    this.#options.onChange?.({ key: this.#options.key, what, runsFor, makes, failure });
  }

  #enter(phase: Phase): void {
    this.#phase = phase;
    this.#since = new Date();
  }

  #note(what: string): void {
    this.#earlier.push(`--- ${new Date().toISOString()} ${what}`);
    this.#earlier = this.#earlier.slice(-mostLines);
  }
}
