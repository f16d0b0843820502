import type { OutletChange } from '@weir/contract';
import { hiddenText, type Output, type Prepared, type ProcessSpec } from '@weir/process';
import { WeirError } from '../core/errors.ts';
import { type OutgoingMedia, preparing } from '../core/outgoing/media/outgoing-media.ts';
import { OutgoingError } from '../core/outgoing/outgoing-error.ts';
import type { LiveInputs } from './live-inputs.ts';
import { checkDestination } from './outlet-rules.ts';
import { outletUrl } from './outlet-url.ts';

interface Context {
  readonly media: OutgoingMedia;
  readonly inputs: Pick<LiveInputs, 'ownDoorOf'>;
}

/** Push destinations of features: validated when saved, and resolved and checked again at each start. */
export class Destinations {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Throws with the reason. */
  async check(change: OutletChange): Promise<void> {
    checkDestination(change);
    const url = outletUrl({ server: change.server ?? '', secret: change.secret ?? '' });
    const { media, inputs } = this.#context;
    if ((await inputs.ownDoorOf(url)) !== undefined) return;
    await media.confirm(url).catch((error: unknown) => {
      if (!(error instanceof OutgoingError)) throw error;
      throw new WeirError('invalid_input', `invalid server, ${error.message}`, { cause: error });
    });
  }

  /** The start of a program that pushes to an address, whose arguments `args` makes of where that leads now. */
  prepare(url: string, args: (to: Output) => Promise<string[]> | string[]): NonNullable<ProcessSpec['prepare']> {
    return () => preparing(this.#prepared(url, args));
  }

  async #prepared(url: string, args: (to: Output) => Promise<string[]> | string[]): Promise<Prepared> {
    const { media, inputs } = this.#context;
    const to = await media.output(url, await inputs.ownDoorOf(url));
    return { args: await args(to), ...(to.hidden.length > 0 && { hidden: hiddenText(to.hidden) }) };
  }
}
