import type { FirstStep, FirstSteps } from '@weir/contract';
import * as z from 'zod';
import { type Clock, isoNow } from '../../core/clock.ts';
import type { Events } from '../../core/events.ts';
import type { Collection, Store } from '../../core/store/store.ts';

const Happened = z.object({ at: z.string() });

export interface StepsContext {
  readonly store: Store;
  readonly events: Events;
  readonly clock: Clock;
  /** True if any destination is enabled. */
  readonly sendsOn: () => Promise<boolean>;
  /** True if streams are or were recorded. */
  readonly records: () => Promise<boolean>;
}

/**
 * Progress of the first steps. Set-up is read from its settings; publishing and watching leave no other trace, so their
 * first time is stored.
 */
export class FirstStepsService {
  readonly #context: StepsContext;
  readonly #happened: Collection<{ at: string }>;
  readonly #noted = new Set<FirstStep>();

  constructor(context: StepsContext) {
    this.#context = context;
    this.#happened = context.store.collection('first-steps', Happened);
    context.events.on('stream:published', () => this.#note('published'));
    context.events.on('stream:played', () => this.#note('watched'));
  }

  async read(): Promise<FirstSteps> {
    const { sendsOn, records } = this.#context;
    const [published, watched, forwarded, recorded] = await Promise.all([
      this.#happened.get('published'),
      this.#happened.get('watched'),
      sendsOn(),
      records(),
    ]);
    return { published: published !== undefined, watched: watched !== undefined, forwarded, recorded };
  }

  async #note(step: FirstStep): Promise<void> {
    if (this.#noted.has(step)) return;
    this.#noted.add(step);
    try {
      await this.#happened.update(step, (before) => before ?? { at: isoNow(this.#context.clock) });
    } catch (error) {
      // The store was away: the next one is noted.
      this.#noted.delete(step);
      throw error;
    }
  }
}
