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
  /** Whether any destination is switched on. */
  readonly sendsOn: () => Promise<boolean>;
  /** Whether streams are recorded, or have been. */
  readonly records: () => Promise<boolean>;
}

/**
 * How far the owner of this server has come. What is set up is read from where it is set up; that somebody published or watched
 * leaves no trace elsewhere, so the first time is noted.
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
