import { ocrImagePath } from '@weir/contract';
import type { Clock } from '../../core/clock.ts';
import { isGoodLink, signLink } from '../../core/signed-link.ts';

interface Context {
  readonly linkKey: () => Promise<Uint8Array>;
  readonly clock: Pick<Clock, 'dateMs'>;
}

/** A picture is gone long before, unless OCR is stopped. */
const lastsMs = 3600_000;
/** Within this time the address of a picture stays the same: a page that asks again shows it without loading it again. */
const stepMs = 600_000;

/** Addresses of pictures that open for some time without a credential. */
export class ImageLinks {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Gives the path for each. */
  async paths(): Promise<(tsid: string) => string> {
    const key = await this.#context.linkKey();
    const endsMs = Math.ceil(this.#context.clock.dateMs() / stepMs) * stepMs + lastsMs;
    return (tsid) => `${ocrImagePath}/${tsid}.jpg?token=${signLink(key, tsid, endsMs)}`;
  }

  async isGood(tsid: string, token: string): Promise<boolean> {
    return isGoodLink(await this.#context.linkKey(), tsid, token, this.#context.clock.dateMs());
  }
}
