import { randomBytes } from 'node:crypto';
import { type Edge, type EdgeFailure, edgeCheckMs, edgesApi } from '@weir/contract';
import * as z from 'zod';
import { type Clock, isoNow } from '../../core/clock.ts';
import { Mutex } from '../../core/mutex.ts';
import { OutgoingError, type OutgoingFailure } from '../../core/outgoing/outgoing-error.ts';
import type { OutgoingAnswer, OutgoingClient, OutgoingPolicy } from '../../core/outgoing/request/outgoing-client.ts';
import type { Setting } from '../../core/store/setting.ts';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';
import type { MediaServer } from '../../media-server/media-server.ts';

const Stored = z.object({ urls: z.array(z.string()).default([]), token: z.string().default('') });
type Stored = z.output<typeof Stored>;

interface EdgesServiceContext {
  readonly store: Store;
  readonly mediaServer: Pick<MediaServer, 'applySettings'>;
  readonly health: Pick<EdgeHealth, 'of' | 'wake'>;
}

/** Configured edges and the tokens with which they authenticate to the engine. */
class EdgesService {
  readonly #mediaServer: EdgesServiceContext['mediaServer'];
  readonly #health: EdgesServiceContext['health'];
  readonly #settings: Setting<Stored>;
  /** Serialises changes, so that engine and store end with the same token. */
  readonly #turns = new Mutex();

  constructor({ store, mediaServer, health }: EdgesServiceContext) {
    this.#mediaServer = mediaServer;
    this.#health = health;
    this.#settings = store.setting('edges/edges', Stored);
  }

  async urls(): Promise<readonly string[]> {
    return (await this.#settings.read()).urls;
  }

  async query(): Promise<{ edges: Edge[]; token: string }> {
    const { urls, token } = await this.#settings.read();
    return { edges: urls.map((url) => this.#health.of(url)), token };
  }

  /** Edges for viewers: all healthy ones, or all if none is healthy. */
  async forViewers(): Promise<readonly string[]> {
    const { edges } = await this.query();
    const usable = edges.filter(({ state }) => state !== 'failing');
    return (usable.length > 0 ? usable : edges).map(({ url }) => url);
  }

  update(urls: readonly string[]): Promise<void> {
    return this.#turns.take(async () => {
      const before = await this.#settings.read();
      await this.#put(before, { urls: [...new Set(urls)], token: before.token || newToken() });
    });
  }

  renewToken(): Promise<{ token: string }> {
    return this.#turns.take(async () => {
      const before = await this.#settings.read();
      const token = newToken();
      await this.#put(before, { ...before, token });
      return { token };
    });
  }

  /** For an engine that has just started. */
  push(): Promise<void> {
    return this.#turns.take(async () => this.#apply(await this.#settings.read()));
  }

  /** The engine first: a token that is shown works. */
  async #put(before: Stored, after: Stored): Promise<void> {
    if (after.token !== before.token) await this.#apply(after);
    try {
      await this.#settings.put(after);
    } catch (error) {
      // Should this fail as well, the engine is told at its next start.
      await this.#apply(before).catch(() => undefined);
      throw error;
    }
    this.#health.wake();
  }

  #apply({ token }: Stored): Promise<void> {
    return this.#mediaServer.applySettings({ edgeToken: token });
  }
}

function newToken(): string {
  return randomBytes(32).toString('hex');
}

interface Context {
  readonly store: Store;
  readonly clock: Clock;
  readonly mediaServer: MediaServer;
  readonly outgoing: Pick<OutgoingClient, 'send'>;
}

/** Caches of the owner's that deliver HLS in place of this server. */
export function edgesFeature(context: Context): Feature & { readonly service: EdgesService } {
  const health = new EdgeHealth(context);
  const service = new EdgesService({ ...context, health });
  return {
    routes: (http) => {
      http.route(edgesApi.query, () => service.query());
      http.route(edgesApi.update, ({ edges }) => service.update(edges));
      http.route(edgesApi.renewToken, () => service.renewToken());
    },
    tasks: { 'edge-health': (signal) => health.run(() => service.urls(), signal) },
    engineSettings: () => service.push(),
    service,
  };
}

interface HealthContext {
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
class EdgeHealth {
  readonly #context: HealthContext;
  readonly #known = new Map<string, Edge>();
  #wake = new AbortController();

  constructor(context: HealthContext) {
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
      // Settings are unreadable now; the next round tries again, and the console reports it.
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
