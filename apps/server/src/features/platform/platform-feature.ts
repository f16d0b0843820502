import { defaultHomepage, loadBalancerPath, type PublishRefusal, platformApi } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import { anyMethod, type HttpApp } from '../../core/http/http-app.ts';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';
import { MonthlyHours } from './monthly-hours.ts';
import { PlatformSettings } from './platform-settings.ts';

interface Context {
  readonly store: Store;
  readonly log: Log;
  readonly clock: Clock;
  readonly edges: Edges;
}

/** Servers that deliver HLS in place of this one. */
interface Edges {
  forViewers(): Promise<readonly string[]>;
}

interface PlatformFeature extends Feature {
  readonly settings: PlatformSettings;
  readonly hours: MonthlyHours;
  /** Wraps a gate for publishers with the check of remaining hours. */
  readonly withinHours: <Publish>(gate: Gate<Publish>) => Gate<Publish>;
}

/** Settings of the server as a whole. */
export function platformFeature({ store, log, clock, edges }: Context): PlatformFeature {
  const settings = new PlatformSettings(store, clock);
  const hours = new MonthlyHours(store, clock);
  return {
    routes: platformRoutes(settings, hours, edges),
    close: () => hours.save().catch((error: unknown) => log.warn({ err: error }, 'streaming hours could not be saved')),
    settings,
    hours,
    withinHours: (gate) => withinHours(gate, hours),
  };
}

function platformRoutes(settings: PlatformSettings, hours: MonthlyHours, edges: Edges): Feature['routes'] {
  return (http) => {
    http.route(platformApi.queryWindow, () => settings.window());
    http.route(platformApi.updateWindow, (window) => settings.change({ window }));
    http.route(platformApi.strategy, async ({ strategy }) => ({ strategy: await settings.setStrategy(strategy) }));
    http.route(platformApi.queryHomepage, async () => ({ homepage: (await settings.read()).homepage }));
    http.route(platformApi.updateHomepage, ({ homepage }) => settings.change({ homepage }));
    http.route(platformApi.queryBackends, async () => ({ backends: (await settings.read()).backends }));
    http.route(platformApi.updateBackends, async ({ backends }) => {
      if (backends.length === 0) throw new WeirError('missing_field', 'backends is required');
      await settings.change({ backends });
    });
    http.route(platformApi.removeBackends, () => settings.change({ backends: [] }));
    http.route(platformApi.queryLimit, () => hours.query());
    http.route(platformApi.updateLimit, ({ totalDuration }) => hours.limit(totalDuration));
    redirects(http, settings, edges);
  };
}

/** Both redirects use only addresses set by the administrator, never a part of the request. */
function redirects(http: HttpApp, settings: PlatformSettings, edges: Edges): void {
  for (const url of ['/', '/index.html']) {
    http.fastify.route({
      method: anyMethod,
      url,
      handler: async (request, reply) => {
        const query = url === '/' ? queryOf(request) : '';
        const target = rootTarget((await settings.read()).homepage, query);
        return reply.header('cache-control', 'no-store').redirect(target, 302);
      },
    });
  }
  http.fastify.route<{ Params: { app: string; stream: string } }>({
    method: anyMethod,
    url: `${loadBalancerPath}/:app/:stream`,
    handler: async (request, reply) => {
      const { backends: chosen } = await settings.read();
      // Edges have HLS and nothing else.
      const backends = chosen.length === 0 && isPlaylist(request.params.stream) ? await edges.forViewers() : chosen;
      const backend = backends[Math.floor(Math.random() * backends.length)];
      if (backend === undefined) throw new WeirError('invalid_input', 'the load balancer has no backend servers');
      const scheme = request.headers['x-forwarded-proto'] === 'https' ? 'https' : 'http';
      const target = backendTarget(backend, { ...request.params, query: queryOf(request), scheme });
      return reply.header('cache-control', 'no-store').redirect(target, 302);
    },
  });
}

function isPlaylist(stream: string): boolean {
  return stream.endsWith('.m3u8');
}

function queryOf({ url }: FastifyRequest): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

/** Address as a header value: non-ASCII characters are escaped. */
function locationOf(address: string): string {
  if (!address.startsWith('/')) return new URL(address).href;
  const { pathname, search, hash } = new URL(address, 'http://here');
  return pathname + search + hash;
}

/** Target of `/`. Only the console gets the query: a set-up link carries its code there. */
export function rootTarget(homepage: string, query: string): string {
  if (homepage !== defaultHomepage) return locationOf(homepage);
  return query === '' ? '/mgmt' : `/mgmt/?${query}`;
}

interface Wanted {
  readonly app: string;
  readonly stream: string;
  /** Without the question mark. */
  readonly query: string;
  readonly scheme: 'http' | 'https';
}

/** The host is always the administrator's; of the request come a path below it and the query. */
export function backendTarget(backend: string, { app, stream, query, scheme }: Wanted): string {
  const whole = /^https?:\/\//i.test(backend) ? backend : `${scheme}://${backend}`;
  const url = new URL(whole);
  if (!/\.(flv|m3u8)/.test(url.pathname)) {
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${encodeURIComponent(app)}/${encodeURIComponent(stream)}`;
  }
  if (query !== '') url.search = url.search === '' ? query : `${url.search.slice(1)}&${query}`;
  return url.href;
}

interface Gate<Publish> {
  assertMayPublish(publish: Publish): Promise<void>;
  refusedByEngine(publish: Publish, reason: PublishRefusal): Promise<void>;
}

/** Lets somebody publish who may, while there are hours left. A stranger does not learn whether there are. */
function withinHours<Publish>(gate: Gate<Publish>, hours: MonthlyHours): Gate<Publish> {
  return {
    async assertMayPublish(publish) {
      await gate.assertMayPublish(publish);
      try {
        await hours.assertLeft();
      } catch (error) {
        const isUsedUp = error instanceof WeirError && error.kind === 'publish_refused';
        if (isUsedUp) await gate.refusedByEngine(publish, 'hours-used');
        throw error;
      }
    },
    refusedByEngine: (publish, reason) => gate.refusedByEngine(publish, reason),
  };
}
