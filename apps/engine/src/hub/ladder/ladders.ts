import type { LadderPlan, LadderStatus } from '@weir/engine-api';
import type { Log } from '@weir/plane';
import { countsAsViewer } from '../clients/client-info.ts';
import type { Hub } from '../hub.ts';
import { Ladder, ladderKey } from './ladder.ts';

interface Options {
  readonly hub: Hub;
  readonly log: Log;
  /** Name or path of the program. */
  readonly ffmpeg?: string;
}

const checkEveryMs = 1000;

/** Ladders that the control plane wants. Each exists while there is a stream of its name. */
export class Ladders {
  readonly #options: Options;
  readonly #plans = new Map<string, LadderPlan>();
  readonly #ladders = new Map<string, Ladder>();
  readonly #children = new Set<Promise<unknown>>();
  readonly #stopWatching: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#stopWatching = options.hub.watch((key, state) => {
      if (state === 'gone') this.#close(key);
      else this.#update(key);
    });
  }

  /** Replaces all plans. */
  setPlans(plans: readonly LadderPlan[]): void {
    this.#plans.clear();
    for (const plan of plans) this.#plans.set(ladderKey(plan), plan);
    for (const key of [...this.#ladders.keys()]) if (!this.#plans.has(key)) this.#close(key);
    for (const key of this.#plans.keys()) this.#update(key);
    this.#checkViewers();
  }

  statuses(): LadderStatus[] {
    return [...this.#ladders.values()].map((ladder) => ladder.status());
  }

  /** Resolves when the last child is gone. */
  async close(): Promise<void> {
    this.#stopWatching();
    clearTimeout(this.#timer);
    for (const key of [...this.#ladders.keys()]) this.#close(key);
    while (this.#children.size > 0) await Promise.all(this.#children);
  }

  #update(key: string): void {
    const plan = this.#plans.get(key);
    if (!plan) return;
    const { hub, log, ffmpeg = 'ffmpeg' } = this.#options;
    const stream = hub.find({ vhost: plan.vhost, app: plan.app, name: plan.stream });
    const known = this.#ladders.get(key);
    if (known?.stream === stream) known?.update(plan);
    else this.#close(key);
    if (!stream || this.#ladders.has(key)) return;
    const onStarted = (ended: Promise<unknown>) => {
      this.#children.add(ended);
      ended.finally(() => this.#children.delete(ended));
    };
    this.#ladders.set(key, new Ladder({ stream, plan, ffmpeg, onStarted, log: log.child({ stream: key }) }));
    if (plan.isOnDemand) this.#timer ??= this.#schedule();
  }

  /** Looks for viewers of streams with a ladder on demand. */
  #checkViewers(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const onDemand = new Map([...this.#ladders].filter(([, ladder]) => ladder.isOnDemand));
    if (onDemand.size === 0) return;
    const watched = new Set<string>();
    for (const { key, info } of this.#options.hub.clients.all()) {
      if (onDemand.has(key) && countsAsViewer(info)) watched.add(key);
    }
    for (const [key, ladder] of onDemand) ladder.updateDemand(watched.has(key));
    this.#timer = this.#schedule();
  }

  #schedule(): NodeJS.Timeout {
    return setTimeout(() => this.#checkViewers(), checkEveryMs).unref();
  }

  #close(key: string): void {
    this.#ladders.get(key)?.close();
    this.#ladders.delete(key);
  }
}
