import { type Alert, type Installation, type Updates, type UpgradeStrategy, updatesApi } from '@weir/contract';
import type { Config, Log } from '@weir/plane';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import type { Store } from '../../core/store/store.ts';
import type { Task } from '../../core/task.ts';
import type { Feature } from '../../feature.ts';
import { type PackageKind, packageKinds } from '../../releases/release-list.ts';
import { isOlder } from '../../releases/release-version.ts';
import type { TimelineEvent } from '../../timeline-store/timeline.ts';
import { ReleaseWatch } from './release-watch.ts';
import { UpdateRun } from './update-run.ts';

const lookEveryMs = 6 * 3600_000;
/** Starting up has more urgent things to do. */
const firstLookMs = 20_000;
const dueEveryMs = 60_000;

/** Upgrade window and strategy. */
interface UpgradeSettings {
  upgrade(versions: { running: string; stable: string }): Promise<{ strategy: UpgradeStrategy; isDue: boolean }>;
}

interface Context {
  readonly store: Store;
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly outgoing: OutgoingClient;
  readonly timeline: { noteAll(happening: TimelineEvent): void };
  readonly upgrades: UpgradeSettings;
}

/** What other features say about versions. */
interface UpdatesService {
  /** Newest versions as far as known, at least the running one. */
  releases(): { readonly stable: string; readonly latest: string };
  isUpgrading(): boolean;
}

/** Newer releases: finds them and installs them where the installation allows it. */
export function updatesFeature(context: Context): Feature & { readonly service: UpdatesService } {
  const { config, clock, upgrades, timeline } = context;
  const log = context.log.child({ feature: 'updates' });
  const watch = new ReleaseWatch({ ...context, log });
  const run = new UpdateRun({
    ...context,
    log,
    onEnd: ({ phase, version, from, cause }) => {
      log.info({ phase, version, from, cause }, 'update ended');
      if (phase === 'done') timeline.noteAll({ what: 'update-done', facts: { version } });
      else timeline.noteAll({ what: 'update-failed', facts: { version } });
    },
  });
  const ended = new AbortController();
  const known = () => releasesOf(config.version, watch);
  const begin = async (wanted: string) => {
    const version = wanted === '' ? known().stable : wanted;
    const kind = packageKinds.find((each) => each === installationOf(config));
    const place = await assertPossible(version, { kind, known: known(), running: config.version, watch });
    run.begin(version, place.base, place.kind, ended.signal);
    log.info({ version }, 'update begun');
    return { version };
  };
  const due: Task = async (signal) => {
    for (;;) {
      await clock.pause(dueEveryMs, signal);
      const { stable } = known();
      const { isDue } = await upgrades.upgrade({ running: config.version, stable }).catch(() => ({ isDue: false }));
      if (isDue && isSelfUpdating(config) && !hasFailed(run, stable) && !run.isRunning)
        await begin('').catch((error: unknown) => log.warn({ err: error }, 'the update of tonight did not begin'));
    }
  };
  const lookOut: Task = async (signal) => {
    await clock.pause(firstLookMs, signal);
    for (;;) {
      await watch.look(signal).catch((error: unknown) => log.warn({ err: error }, 'no look at the releases'));
      await clock.pause(lookEveryMs, signal);
    }
  };
  const query = () => describe({ config, watch, run });
  return {
    routes: (http) => {
      http.route(updatesApi.query, query);
      http.route(updatesApi.look, async () => {
        await watch.look();
        return query();
      });
      http.route(updatesApi.save, async (settings) => {
        await watch.save(settings);
        await watch.look();
      });
      http.route(updatesApi.upgrade, async ({ version }) => begin(version));
      http.route(updatesApi.confirm, () => run.confirm());
    },
    tasks: { 'release-watch': lookOut, 'update-due': due, 'update-follow': (signal) => run.follow(signal) },
    alerts: () => updateAlert(run),
    close: async () => ended.abort(),
    service: { releases: known, isUpgrading: () => run.isRunning },
  };
}

/** Of a pair, the version that answers can be that of the other server: its health says nothing about this one. */
function installationOf({ updates, nodeUrl }: Config): Installation {
  return nodeUrl === '' || updates.installation === 'container' ? updates.installation : 'pair';
}

function isSelfUpdating(config: Config): boolean {
  return packageKinds.some((kind) => kind === installationOf(config));
}

/** Tried once: what did not work is for a person. */
function hasFailed({ state }: UpdateRun, version: string): boolean {
  return state?.version === version && (state.phase === 'undone' || state.phase === 'failed');
}

function releasesOf(running: string, { last: { list } }: ReleaseWatch): { stable: string; latest: string } {
  const newer = (version = '') => (version !== '' && isOlder(running, version) ? version : running);
  return { stable: newer(list?.stable), latest: newer(list?.version) };
}

interface Wish {
  readonly kind: PackageKind | undefined;
  readonly known: { readonly stable: string; readonly latest: string };
  readonly running: string;
  readonly watch: ReleaseWatch;
}

async function assertPossible(version: string, { kind, known, running, watch }: Wish) {
  if (kind === undefined)
    throw new WeirError('invalid_input', 'this installation cannot replace its own files; update it from outside');
  if (version !== known.stable && version !== known.latest)
    throw new WeirError('invalid_input', 'the version is not a known release; look for releases first');
  if (!isOlder(running, version)) throw new WeirError('invalid_input', 'there is no newer release');
  const place = await watch.place();
  if ('problem' in place) throw new WeirError('invalid_input', 'looking for releases is switched off');
  return { base: place.base, kind };
}

async function describe(parts: { config: Config; watch: ReleaseWatch; run: UpdateRun }): Promise<Updates> {
  const { config, watch, run } = parts;
  const { stable, latest } = releasesOf(config.version, watch);
  const [{ looks, base }, place] = await Promise.all([watch.settings(), watch.place()]);
  const { at, problem, list } = watch.last;
  const state = run.state;
  return {
    version: config.version,
    stable,
    latest,
    notes: latest === config.version ? '' : (list?.notes ?? ''),
    installation: installationOf(config),
    looks,
    base,
    usualBase: config.updates.base,
    isOffForGood: config.updates.isOff,
    lookedAt: at,
    problem: 'problem' in place ? place.problem : problem,
    offered: stable === config.version ? '' : stable,
    update: state && !state.isConfirmed ? withoutMarks(state) : null,
  };
}

function withoutMarks({ version, from, phase, cause, detail, startedAt, at }: NonNullable<UpdateRun['state']>) {
  return { version, from, phase, cause, detail, startedAt, at };
}

function updateAlert({ state }: UpdateRun): Alert[] {
  if (!state || state.isConfirmed || (state.phase !== 'undone' && state.phase !== 'failed')) return [];
  const place = { page: 'settings', tab: 'platform', child: '' } as const;
  const { at: since, version: subject, cause } = state;
  const severity = cause === 'stuck' ? 'bad' : 'warn';
  return [{ kind: 'update', severity, since, count: 0, place, subject, label: '', cause }];
}
