import type { Clock } from '../../core/clock.ts';
import { isGoodLink, signLink } from '../../core/signed-link.ts';

interface Context {
  readonly linkKey: () => Promise<Uint8Array>;
  readonly clock: Clock;
}

const goodForMs = 12 * 3600 * 1000;

/** Tokens for players, which cannot send a header: each opens one project, for some hours, and nothing else. */
export class DubbingLinks {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  async make(project: string): Promise<string> {
    const { linkKey, clock } = this.#context;
    return signLink(await linkKey(), project, clock.dateMs() + goodForMs);
  }

  async opens(project: string, token: string): Promise<boolean> {
    const { linkKey, clock } = this.#context;
    return isGoodLink(await linkKey(), project, token, clock.dateMs());
  }
}
