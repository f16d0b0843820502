import {
  defaultHomepage,
  defaultUpgradeWindow,
  loadBalancerPath,
  type MonthlyUse,
  noMonthlyLimit,
  type PublishRefusal,
  platformApi,
  type UpgradeStrategy,
  UpgradeWindow,
  upgradeStrategies,
} from '@weir/contract';
import type { Log } from '@weir/plane';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import { anyMethod, type HttpApp } from '../../core/http/http-app.ts';
import type { Setting, Single } from '../../core/store/setting.ts';
import type { Store } from '../../core/store/store.ts';
import type { Feature } from '../../feature.ts';
import { isOlder } from '../../releases/release-version.ts';

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

/** Lets publishers in while hours are left. Permission is checked first, so that strangers do not learn whether there are hours left. */
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

const Stored = z.object({
  window: UpgradeWindow.default(defaultUpgradeWindow),
  // An update interrupts streams for a moment: the owner decides whether it may happen unasked.
  strategy: z.enum(upgradeStrategies).default('manual'),
  homepage: z.string().default(defaultHomepage),
  backends: z.array(z.string()).default([]),
});
type Stored = z.output<typeof Stored>;

/** Stored settings of the server as a whole. */
export class PlatformSettings {
  readonly #settings: Setting<Stored>;
  readonly #clock: Clock;

  constructor(store: Store, clock: Clock) {
    this.#settings = store.setting('platform/platform', Stored);
    this.#clock = clock;
  }

  read(): Promise<Stored> {
    return this.#settings.read();
  }

  async change(fields: Partial<Stored>): Promise<void> {
    await this.#settings.update((current) => ({ ...current, ...fields }));
  }

  async window(): Promise<UpgradeWindow & { strategy: UpgradeStrategy; isOpen: boolean }> {
    const { window, strategy } = await this.read();
    return { ...window, strategy, isOpen: isWindowOpen(window, this.#hour()) };
  }

  async setStrategy(wanted: UpgradeStrategy | undefined): Promise<UpgradeStrategy> {
    const { strategy } = await this.#settings.update((current) => ({
      ...current,
      strategy: wanted ?? (current.strategy === 'auto' ? 'manual' : 'auto'),
    }));
    return strategy;
  }

  /** For the version check: how upgrades happen, and whether one should happen now. */
  async upgrade(versions: { running: string; stable: string }): Promise<{ strategy: UpgradeStrategy; isDue: boolean }> {
    const { window, strategy } = await this.read();
    return { strategy, isDue: isUpgradeDue(versions, { window, strategy }, this.#hour()) };
  }

  /** On the clock of this machine, as its owner means it. */
  #hour(): number {
    return new Date(this.#clock.dateMs()).getHours();
  }
}

/** `hour` of the server's clock, 0 to 23. A window of 24 hours is always open. */
export function isWindowOpen({ start, duration }: UpgradeWindow, hour: number): boolean {
  return (hour - start + 24) % 24 < duration;
}

interface Versions {
  readonly running: string;
  readonly stable: string;
}

/** True if an automatic upgrade is wanted and available, and it is time for it. */
export function isUpgradeDue(
  { running, stable }: Versions,
  settings: { readonly strategy: UpgradeStrategy; readonly window: UpgradeWindow },
  hour: number,
): boolean {
  return settings.strategy === 'auto' && isOlder(running, stable) && isWindowOpen(settings.window, hour);
}

/** A longer gap in the samples does not mean that everyone kept watching. */
const longestGapSeconds = 60;
const saveEverySeconds = 60;

const StoredUse = z.object({
  totalDuration: z.number().default(noMonthlyLimit),
  startDate: z.string(),
  lastUpdateDate: z.string(),
  consumedDuration: z.number().default(0),
});

/** Stream fields needed for counting hours. */
interface Counted {
  readonly media?: { readonly viewers: number };
}

/** Counts hours of publishing and playing, from the first of each month on the server's clock. */
export class MonthlyHours {
  readonly #use: Single<MonthlyUse>;
  readonly #clock: Clock;
  /** Counted, but not in the store yet: at most a minute of work is lost with a power cut. */
  #pendingSeconds = 0;
  #lookedAt: Date | undefined;
  #savedAt: Date;

  constructor(store: Store, clock: Clock) {
    this.#use = store.single('monthly-hours/hours', StoredUse);
    this.#clock = clock;
    this.#savedAt = this.#now();
  }

  async query(): Promise<MonthlyUse> {
    const now = this.#now();
    return addUse(await this.#use.get(), this.#pendingSeconds, now);
  }

  async limit(totalDuration: number): Promise<void> {
    const now = this.#now();
    await this.#use.update((current) => ({ ...addUse(current, 0, now), totalDuration }));
  }

  /** Counts live streams and viewers for the time since the last call. */
  async count(streams: readonly Counted[]): Promise<void> {
    const now = this.#now();
    const gapSeconds = this.#lookedAt ? secondsBetween(this.#lookedAt, now) : 0;
    this.#lookedAt = now;
    const heads = streams.reduce((sum, { media }) => sum + 1 + (media?.viewers ?? 0), 0);
    this.#pendingSeconds += Math.min(gapSeconds, longestGapSeconds) * heads;
    if (secondsBetween(this.#savedAt, now) >= saveEverySeconds) await this.save();
  }

  async save(): Promise<void> {
    const now = this.#now();
    this.#savedAt = now;
    const seconds = this.#pendingSeconds;
    if (seconds === 0) return;
    await this.#use.update((current) => addUse(current, seconds, now));
    this.#pendingSeconds -= seconds;
  }

  /** Throws `publish_refused` once the hours of this month are used up. Who is live stays live. */
  async assertLeft(): Promise<void> {
    const { totalDuration, consumedDuration } = await this.query();
    if (totalDuration === noMonthlyLimit || consumedDuration < totalDuration) return;
    throw new WeirError('publish_refused', 'the streaming hours of this month are used up');
  }

  #now(): Date {
    return new Date(this.#clock.dateMs());
  }
}

function addUse(current: MonthlyUse | undefined, seconds: number, now: Date): MonthlyUse {
  const at = now.toISOString();
  const isThisMonth = current !== undefined && monthOf(new Date(current.startDate)) === monthOf(now);
  return {
    totalDuration: current?.totalDuration ?? noMonthlyLimit,
    startDate: isThisMonth ? current.startDate : new Date(now.getFullYear(), now.getMonth(), 1).toISOString(),
    lastUpdateDate: at,
    consumedDuration: (isThisMonth ? current.consumedDuration : 0) + seconds,
  };
}

const monthOf = (at: Date) => at.getFullYear() * 12 + at.getMonth();
const secondsBetween = (from: Date, to: Date) => Math.max(0, (to.getTime() - from.getTime()) / 1000);
