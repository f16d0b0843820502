import type { Log } from '@weir/plane';
import type { Observed, Progress, WorkChange } from './observed.ts';
import type { Exchange } from './process-spec.ts';
import { type Plan, Scope } from './scope.ts';
import { defaultTiming, type Timing } from './timing.ts';

/** Keeps running what features plan. Each has a scope; a key begins with the name of its scope: `forward/wx`. */
export class Supervisor {
  readonly #log: Log;
  readonly #timing: Timing;
  readonly #exchange: Exchange | undefined;
  readonly #scopes = new Map<string, Scope>();
  readonly #listeners: ((change: WorkChange) => void)[] = [];

  constructor({ log, timing = {}, exchange }: { log: Log; timing?: Partial<Timing>; exchange?: Exchange }) {
    this.#exchange = exchange;
    this.#log = log;
    this.#timing = { ...defaultTiming, ...timing };
  }

  /** Plans at once, and again with every `wake`. */
  scope(name: string, plan: Plan): Scope {
    if (this.#scopes.has(name)) throw new Error(`there is a scope ${name} already`);
    const onChange = (change: WorkChange) => {
      for (const listener of this.#listeners) listener(change);
    };
    const scope = new Scope({ name, plan, log: this.#log, timing: this.#timing, exchange: this.#exchange, onChange });
    this.#scopes.set(name, scope);
    return scope;
  }

  /** Calls back for every start, failure and end from now on, in all scopes. */
  onChange(listener: (change: WorkChange) => void): void {
    this.#listeners.push(listener);
  }

  /** Finds the key in any scope. */
  observe(key: string): Observed | undefined {
    return this.#scopes.get(key.split('/')[0] ?? '')?.observe(key);
  }

  /** Each scope with a text that differs when one of its jobs began, ended, failed or became ready. */
  states(): [name: string, state: string][] {
    return [...this.#scopes].map(([name, scope]) => [name, scope.state()]);
  }

  /** Progress of everything that has come through, by key. */
  progress(): [key: string, progress: Progress][] {
    return [...this.#scopes.values()].flatMap((scope) => scope.progress());
  }

  /** Names of scopes by the processes that run for them. */
  pids(): Map<number, string> {
    return new Map([...this.#scopes].flatMap(([name, scope]) => scope.pids().map((pid) => [pid, name] as const)));
  }

  /** Resolves when no child is left. */
  async close(): Promise<void> {
    await Promise.all([...this.#scopes.values()].map((scope) => scope.close()));
  }
}
