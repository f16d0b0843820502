import { talkReducer } from './talk-reducer.ts';
import type { TalkAction, TalkState } from './talk-state.ts';

/** The state of one page, and whoever looks at it. */
export class TalkStore {
  #state: TalkState;
  readonly #listeners = new Set<() => void>();

  constructor(state: TalkState) {
    this.#state = state;
  }

  readonly get = (): TalkState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  dispatch(action: TalkAction): void {
    const next = talkReducer(this.#state, action);
    if (next === this.#state) return;
    this.#state = next;
    for (const listener of this.#listeners) listener();
  }

  /** Ends when the state is so, or the signal aborts. */
  until(condition: (state: TalkState) => boolean, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!signal.aborted && !condition(this.#state)) return;
        this.#listeners.delete(look);
        signal.removeEventListener('abort', look);
        resolve();
      };
      this.#listeners.add(look);
      signal.addEventListener('abort', look);
      look();
    });
  }
}
