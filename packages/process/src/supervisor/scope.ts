import type { Log } from '@weir/plane';
import { Job } from './job.ts';
import type { Observed, Progress, WorkChange } from './observed.ts';
import type { Exchange, ProcessSpec } from './process-spec.ts';
import type { Timing } from './timing.ts';

/** Computes what should run now, from settings and live streams. Called often; starts nothing itself. */
export type Plan = () => Promise<readonly ProcessSpec[]>;

/** Jobs that are over and kept for their last words. */
const mostIdle = 100;
/** A plan may fail while the engine or the store starts; that is worth a word only when it stays so. */
const quietFailures = 2;

interface Options {
  readonly name: string;
  readonly plan: Plan;
  readonly log: Log;
  readonly timing: Timing;
  readonly exchange?: Exchange | undefined;
  readonly onChange?: (change: WorkChange) => void;
}

/** The work of one feature: keeps what runs as it is planned. */
export class Scope {
  readonly #plan: Plan;
  readonly #log: Log;
  readonly #timing: Timing;
  readonly #exchange: Exchange | undefined;
  readonly #onChange: Options['onChange'];
  readonly #jobs = new Map<string, Job>();
  #planning: Promise<void> | undefined;
  #isStale = false;
  #isClosed = false;
  #planFailures = 0;
  #retry: NodeJS.Timeout | undefined;

  constructor({ name, plan, log, timing, exchange, onChange }: Options) {
    this.#exchange = exchange;
    this.#plan = plan;
    this.#onChange = onChange;
    this.#log = log.child({ scope: name });
    this.#timing = timing;
    this.wake();
  }

  /** Asks for a new plan. Many at once cost one; one during a plan leads to another after it. May be passed around. */
  readonly wake = (): void => {
    this.#isStale = true;
    if (this.#isClosed) return;
    clearTimeout(this.#retry);
    this.#planning ??= this.#replan();
  };

  /** Resolves when what was planned last is under way. */
  async settled(): Promise<void> {
    await this.#planning;
  }

  observe(key: string): Observed | undefined {
    return this.#jobs.get(key)?.observe();
  }

  /** Differs when one of its jobs began, ended, failed or became ready. */
  state(): string {
    const jobs = [...this.#jobs].map(([key, job]) => [key, job.observe()] as const);
    return jobs
      .map(
        ([key, { phase, starts, failures, readyAt }]) =>
          `${key} ${phase} ${starts} ${failures} ${readyAt !== undefined}`,
      )
      .join(', ');
  }

  progress(): [key: string, progress: Progress][] {
    return [...this.#jobs].flatMap(([key, { progress }]) => (progress ? [[key, progress]] : []));
  }

  /** Ids of the processes that run now. */
  pids(): number[] {
    return [...this.#jobs.values()].flatMap((job) => job.observe().pid ?? []);
  }

  /** Acts at once, in every state. No effect on unplanned processes. */
  restart(key: string): void {
    this.#jobs.get(key)?.restart();
  }

  /** Resolves when no child is left. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.#planning;
    await Promise.all([...this.#jobs.values()].map((job) => job.close()));
  }

  async #replan(): Promise<void> {
    while (this.#isStale && !this.#isClosed) {
      this.#isStale = false;
      // Wakes of the same tick are collected before one plan is made.
      await Promise.resolve();
      try {
        const specs = await this.#planInTime();
        this.#planFailures = 0;
        if (!this.#isClosed) this.#reconcile(specs);
      } catch (error) {
        this.#failed(error);
      }
      if (!this.#isClosed) for (const job of this.#jobs.values()) job.resume();
    }
    // In the same step as the last look at the flag: a wake between the two would be lost.
    this.#planning = undefined;
  }

  async #planInTime(): Promise<readonly ProcessSpec[]> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('planning took too long')), this.#timing.planMs);
    });
    return Promise.race([this.#plan(), late]).finally(() => clearTimeout(timer));
  }

  #reconcile(specs: readonly ProcessSpec[]): void {
    const wanted = new Map(specs.map((spec) => [spec.key, spec]));
    for (const [key, job] of this.#jobs) if (!wanted.has(key)) job.want(undefined);
    for (const [key, spec] of wanted) this.#job(key).want(spec);
    this.#forget();
  }

  #job(key: string): Job {
    const known = this.#jobs.get(key);
    if (known) return known;
    const options = { log: this.#log, timing: this.#timing, exchange: this.#exchange, onChange: this.#onChange };
    const job = new Job({ key, ...options, onDue: this.wake });
    this.#jobs.set(key, job);
    return job;
  }

  /** Evicts the oldest finished ones. */
  #forget(): void {
    const idle = [...this.#jobs].filter(([, job]) => job.isIdle);
    for (const [key] of idle.slice(0, Math.max(0, idle.length - mostIdle))) this.#jobs.delete(key);
  }

  /** Running children stay as they were planned. */
  #failed(error: unknown): void {
    if (this.#isClosed) return;
    this.#planFailures += 1;
    const level = this.#planFailures <= quietFailures ? 'debug' : 'warn';
    this.#log[level]({ err: error, failures: this.#planFailures }, 'processes could not be planned');
    const { planRetryMs, planRetryMostMs } = this.#timing;
    const retryMs = Math.min(planRetryMostMs, planRetryMs * 2 ** Math.min(10, this.#planFailures - 1));
    clearTimeout(this.#retry);
    this.#retry = setTimeout(this.wake, retryMs);
  }
}
