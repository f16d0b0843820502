import { type Edge, type EdgeFailure, edgeCheckMs } from '@weir/contract';
import { type Clock, isoNow } from '../../core/clock.ts';
import { OutgoingError, type OutgoingFailure } from '../../core/outgoing/outgoing-error.ts';
import type { OutgoingAnswer, OutgoingClient, OutgoingPolicy } from '../../core/outgoing/request/outgoing-client.ts';

interface Context {
  readonly clock: Clock;
  readonly outgoing: Pick<OutgoingClient, 'send'>;
}

/** A playlist that the engine gives to edges alone, asked for as a viewer would: through the edge. */
const checkPath = '/weir-edge.m3u8';
const policy: OutgoingPolicy = {
  ownNetwork: 'named',
  verifiesTls: true,
  redirects: 0,
  withinMs: 5000,
  answerBytes: 16 * 1024,
};

const failures: Readonly<Record<OutgoingFailure, EdgeFailure>> = {
  'bad-url': 'forbidden',
  'forbidden-address': 'forbidden',
  'own-network': 'forbidden',
  'unknown-name': 'unknown-name',
  'no-connection': 'no-connection',
  'bad-certificate': 'bad-certificate',
  timeout: 'timeout',
  redirect: 'redirect',
  'too-large': 'no-edge',
  stopped: 'timeout',
};

/** Health checks of the edges: rounds follow each other, edges are checked in parallel. */
export class EdgeHealth {
  readonly #context: Context;
  readonly #known = new Map<string, Edge>();
  #wake = new AbortController();

  constructor(context: Context) {
    this.#context = context;
  }

  of(url: string): Edge {
    return this.#known.get(url) ?? { url, state: 'unchecked', failure: '', checkedAt: '', latencyMs: 0 };
  }

  /** A round is due now. */
  wake(): void {
    this.#wake.abort();
  }

  /** Works until the server stops. */
  async run(urls: () => Promise<readonly string[]>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#wake = new AbortController();
      // Without settings there is nobody to ask; they are back by the next round, or the console says so.
      const listed = await urls().catch((): readonly string[] => []);
      await Promise.all(listed.map((url) => this.#check(url, signal)));
      for (const url of this.#known.keys()) if (!listed.includes(url)) this.#known.delete(url);
      const ended = AbortSignal.any([signal, this.#wake.signal]);
      await this.#context.clock.pause(edgeCheckMs, ended).catch(() => undefined);
    }
  }

  async #check(url: string, signal: AbortSignal): Promise<void> {
    const { clock, outgoing } = this.#context;
    const startMs = clock.elapsedMs();
    const failure = await outgoing
      .send({ url: `${url}${checkPath}`, method: 'GET' }, policy, signal)
      .then(
        failureIn,
        (error: unknown): EdgeFailure => (error instanceof OutgoingError ? failures[error.failure] : 'no-connection'),
      );
    if (signal.aborted) return;
    const latencyMs = Math.round(clock.elapsedMs() - startMs);
    const state = failure === '' ? 'ok' : 'failing';
    this.#known.set(url, { url, state, failure, checkedAt: isoNow(clock), latencyMs });
  }
}

function failureIn({ status, body }: OutgoingAnswer): EdgeFailure {
  if (status === 200) return body.toString('latin1').startsWith('#EXTM3U') ? '' : 'no-edge';
  if (status === 403) return 'token';
  return status >= 500 ? 'origin' : 'no-edge';
}
