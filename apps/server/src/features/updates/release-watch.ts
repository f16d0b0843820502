import type { ReleaseProblem } from '@weir/contract';
import type { Config, Log } from '@weir/plane';
import * as z from 'zod';
import { type Clock, isoNow } from '../../core/clock.ts';
import { OutgoingError } from '../../core/outgoing/outgoing-error.ts';
import type { OutgoingClient, OutgoingPolicy } from '../../core/outgoing/request/outgoing-client.ts';
import type { Setting } from '../../core/store/setting.ts';
import type { Store } from '../../core/store/store.ts';
import { parseReleaseList, type ReleaseList } from '../../releases/release-list.ts';
import { isSigned } from '../../releases/release-signature.ts';

const listBytes = 64 * 1024;
export const releasePolicy: OutgoingPolicy = {
  ownNetwork: 'typed',
  verifiesTls: true,
  redirects: 3,
  withinMs: 15_000,
  answerBytes: listBytes,
};

const Stored = z.object({ looks: z.boolean().default(true), base: z.string().default('') });

interface Context {
  readonly store: Store;
  readonly config: Pick<Config, 'updates'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly outgoing: Pick<OutgoingClient, 'send'>;
}

interface Look {
  /** Empty before the first look. */
  readonly at: string;
  readonly problem: ReleaseProblem;
  /** List that the last successful look found. */
  readonly list: ReleaseList | undefined;
}

/** Knows the newest releases. What it asks for is one static file, and the request says nothing about this server. */
export class ReleaseWatch {
  readonly #settings: Setting<z.output<typeof Stored>>;
  readonly #context: Context;
  #last: Look = { at: '', problem: '', list: undefined };

  constructor(context: Context) {
    this.#context = context;
    this.#settings = context.store.setting('updates/updates', Stored);
  }

  get last(): Look {
    return this.#last;
  }

  async settings(): Promise<{ readonly looks: boolean; readonly base: string }> {
    return this.#settings.read();
  }

  async save(settings: { readonly looks: boolean; readonly base: string }): Promise<void> {
    await this.#settings.update(() => settings);
    // An answer of another place is no longer true.
    this.#last = { at: '', problem: '', list: undefined };
  }

  /** Address of the releases, without a slash at its end; a problem if none may be asked. */
  async place(): Promise<{ readonly base: string } | { readonly problem: ReleaseProblem }> {
    const { isOff, key, base: usual } = this.#context.config.updates;
    const { looks, base: own } = await this.#settings.read();
    if (isOff || !looks) return { problem: 'off' };
    if (key === '') return { problem: 'no-key' };
    const base = (own || usual).replace(/\/+$/, '');
    return base === '' ? { problem: 'no-address' } : { base };
  }

  async look(signal?: AbortSignal): Promise<void> {
    const { clock, log } = this.#context;
    const place = await this.place();
    if ('problem' in place) {
      this.#last = { at: '', problem: place.problem, list: undefined };
      return;
    }
    const found = await this.#readList(place.base, signal).catch((error: unknown) => {
      if (signal?.aborted) throw error;
      log.warn({ err: error }, 'the list of releases could not be read');
      return error instanceof OutgoingError ? 'unreachable' : 'unreadable';
    });
    const at = isoNow(clock);
    this.#last = typeof found === 'string' ? { ...this.#last, at, problem: found } : { at, problem: '', list: found };
  }

  async #readList(base: string, signal: AbortSignal | undefined): Promise<ReleaseList | ReleaseProblem> {
    const url = `${base}/latest.json`;
    const text = await fetchSigned(url, this.#context, signal);
    return text === 'unreachable' || text === 'unsigned' ? text : parseReleaseList(text.toString('utf8'));
  }
}

/** A small file that the maintainers have signed, or why it is not used. */
export async function fetchSigned(
  url: string,
  { outgoing, config }: Pick<Context, 'outgoing' | 'config'>,
  signal?: AbortSignal,
): Promise<Buffer | 'unreachable' | 'unsigned'> {
  const ask = (address: string) => outgoing.send({ url: address, method: 'GET' }, releasePolicy, signal);
  const [file, signature] = await Promise.all([ask(url), ask(`${url}.minisig`)]);
  if (file.status !== 200 || signature.status !== 200) return 'unreachable';
  return isSigned(file.body, signature.body.toString('utf8'), config.updates.key) ? file.body : 'unsigned';
}
