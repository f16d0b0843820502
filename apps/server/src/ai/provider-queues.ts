import { AiError } from './ai.ts';

interface Bounds {
  readonly inFlight: number;
  readonly waiting: number;
}

interface Lane {
  busy: number;
  readonly waiting: (() => void)[];
}

/** Limits the parallel requests of one provider. Further requests wait in a queue; a full queue refuses them. */
export class ProviderQueues {
  readonly #bounds: Bounds;
  readonly #lanes = new Map<string, Lane>();

  constructor(bounds: Bounds = { inFlight: 4, waiting: 32 }) {
    this.#bounds = bounds;
  }

  /** Resolves when it is the caller's turn, with the way to let the next one in. */
  async enter(name: string, signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) throw stopped();
    const lane = this.#lanes.get(name) ?? { busy: 0, waiting: [] };
    this.#lanes.set(name, lane);
    if (lane.busy < this.#bounds.inFlight) lane.busy += 1;
    else await this.#wait(lane, signal);
    let isOut = false;
    return () => {
      if (isOut) return;
      isOut = true;
      this.#leave(name, lane);
    };
  }

  #wait(lane: Lane, signal: AbortSignal): Promise<void> {
    if (lane.waiting.length >= this.#bounds.waiting) {
      return Promise.reject(new AiError('busy', 'too many requests are waiting for this AI provider'));
    }
    return new Promise((resolve, reject) => {
      const turn = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        lane.waiting.splice(lane.waiting.indexOf(turn), 1);
        reject(stopped());
      };
      lane.waiting.push(turn);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Hands the place to the next waiting job, so that a new job cannot take it. */
  #leave(name: string, lane: Lane): void {
    const next = lane.waiting.shift();
    if (next) next();
    else lane.busy -= 1;
    if (lane.busy === 0) this.#lanes.delete(name);
  }
}

function stopped(): AiError {
  return new AiError('stopped', 'the request was stopped');
}
