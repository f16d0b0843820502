import { statfs } from 'node:fs/promises';
import { availableParallelism, totalmem, uptime } from 'node:os';
import {
  type Alert,
  type Diagnosis,
  type Environment,
  type FirstSteps,
  type Health,
  type Pair,
  type Status,
  systemApi,
  type Tool,
} from '@weir/contract';
import type { Config, LauncherLink } from '@weir/plane';
import type { Supervisor } from '@weir/process';
import type { Feature } from '../../feature.ts';
import type { PairView } from '../../leader-election/pair-view.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import { CpuUsers } from '../../process-reports/cpu-users.ts';
import { type AlertSource, gatherAlerts } from './alerts.ts';
import { DiskTrend } from './disk-trend.ts';
import { FirstStepsService, type StepsContext } from './first-steps.ts';
import { observeHealth } from './health.ts';
import { ServerDiagnosis } from './server-diagnosis.ts';
import { StoreAlerts } from './store-alerts.ts';
import { ffmpegProgram, ProgramProbe } from './tools.ts';

/** Crashes within an hour that are no coincidence. */
const tooOften = 3;

/** Workers of the engine that ended under their clients, each reported for an hour. */
async function workerAlerts(mediaServer: MediaServer): Promise<Alert[]> {
  const { workerExits } = await mediaServer.health();
  return workerExits.map(({ worker, count, last }) => ({
    kind: 'worker',
    severity: count >= tooOften ? 'bad' : 'warn',
    since: last.at,
    count,
    place: { page: 'scenario', tab: 'live', child: '' },
    subject: worker,
    label: '',
    cause: '',
  }));
}

const dayMs = 24 * 3600_000;

/** Sign-in state needed here. */
interface SignIn {
  isInitialised(): Promise<boolean>;
  guessingAlert(): { startedMsAgo: number; count: number } | undefined;
}

/** Upgrade settings. */
interface Upgrades {
  upgrade(versions: { running: string; stable: string }): Promise<{ strategy: 'auto' | 'manual'; isDue: boolean }>;
}

/** Newer releases. */
interface Updates {
  releases(): { readonly stable: string; readonly latest: string };
  isUpgrading(): boolean;
}

interface Context extends StepsContext {
  /** Features whose work may fail. */
  readonly work: readonly (AlertSource & Pick<Feature, 'activity'>)[];
  readonly upgrades: Upgrades;
  readonly updates: Updates;
  readonly config: Config;
  readonly mediaServer: MediaServer;
  readonly launcher: Pick<LauncherLink, 'planes'>;
  readonly localAi: { readonly keeper: { state(): { readonly pid: number } } };
  readonly supervisor: Pick<Supervisor, 'pids'>;
  readonly signIn: SignIn;
  /** Other servers on the same store; absent where there are none. */
  readonly pair?: PairView | undefined;
}

/** Health of dependencies, and alerts. */
type Observe = () => Promise<{ readonly health: Health; readonly alerts: Alert[] }>;

/** The same with what is wrong with the server itself. */
type Diagnose = () => Promise<{ readonly alerts: Alert[]; readonly diagnosis: Diagnosis }>;

interface Offers extends Feature {
  readonly observe: Observe;
  readonly diagnose: Diagnose;
  readonly activities: () => Promise<Status['activity']>;
  readonly ffmpeg: { read(): Promise<Tool> };
  /** For a report that others read. */
  readonly describe: () => Promise<Readonly<Record<string, unknown>>>;
}

/** Versions, health and alerts of this server. */
export function systemFeature(context: Context): Offers {
  const { config, store, mediaServer, signIn, work, clock } = context;
  const storeAlerts = new StoreAlerts(context);
  const observe = async () => {
    const health = await observeHealth({ store, mediaServer, dataDir: config.dataDir }, clock.dateMs());
    const alerts = await gatherAlerts([
      { alerts: () => guessingAlert(signIn, clock.dateMs()) },
      // A proxy that serves HTTPS has its own certificate.
      { alerts: () => (config.httpsElsewhere ? [] : certificateAlert(health, clock.dateMs())) },
      { alerts: () => workerAlerts(mediaServer) },
      { alerts: () => storeAlerts.look(health.store.ok) },
      ...work,
    ]);
    return { health, alerts };
  };
  const freeBytes = async () => {
    const disk = await statfs(config.dataDir).catch(() => undefined);
    return disk && disk.bavail * disk.bsize;
  };
  const disk = new DiskTrend({ store, clock, freeBytes });
  const ffmpeg = new ProgramProbe(ffmpegProgram, clock);
  const issues = new ServerDiagnosis({ ...context, disk, ffmpeg, cpuUsers: cpuUsersOf(context) });
  const diagnose = async () => {
    const observed = await observe();
    return { alerts: observed.alerts, diagnosis: await issues.look(observed) };
  };
  const activities = () => gatherActivities(work);
  return {
    routes: systemRoutes({ ...context, steps: new FirstStepsService(context), disk, observe, diagnose, activities }),
    observe,
    diagnose,
    activities,
    ffmpeg,
    describe: async () => {
      const observed = await observe();
      return describeServer({ ...observed, diagnosis: await issues.look(observed), ffmpeg: await ffmpeg.read() });
    },
    tasks: { 'disk-trend': (signal) => disk.run(signal) },
  };
}

/** Without a launcher, as in tests, the control server is the root of what is ours. */
function cpuUsersOf({ clock, launcher, localAi, supervisor }: Context): CpuUsers {
  const pids = () => {
    const planes = launcher.planes();
    const root = planes ? process.ppid : 0;
    return { launcher: root, engine: planes?.engine.pid ?? 0, ai: localAi.keeper.state().pid };
  };
  return new CpuUsers({ clock, pids, jobs: () => supervisor.pids() });
}

interface Parts extends Context {
  readonly steps: FirstStepsService;
  readonly disk: DiskTrend;
  readonly observe: Observe;
  readonly diagnose: Diagnose;
  readonly activities: () => Promise<Status['activity']>;
}

function systemRoutes(parts: Parts): Feature['routes'] {
  const { config, store, mediaServer, signIn, upgrades, updates, clock, steps, disk, observe, diagnose } = parts;
  const { activities, pair } = parts;
  const startedAtMs = clock.dateMs();
  return (http) => {
    const { version } = config;
    const known = () => {
      const { stable, latest } = updates.releases();
      return { stable: `v${stable}`, latest: `v${latest}` };
    };

    for (const endpoint of [
      systemApi.versions,
      systemApi.hostVersions,
      systemApi.ffmpegVersions,
      systemApi.hooksVersions,
      systemApi.tencentVersions,
    ]) {
      http.route(endpoint, () => ({ version }));
    }
    http.route(systemApi.releases, () => known());

    http.route(systemApi.check, async () => {
      await store.check();
      return { upgrading: updates.isUpgrading(), init: await signIn.isInitialised() };
    });

    http.route(systemApi.lead, () => store.check());

    http.route(systemApi.status, async (_body, { viaStandby }) => {
      const { health, alerts } = await observe();
      return {
        version: `v${version}`,
        ...known(),
        releases: { version: `v${version}`, ...known() },
        upgrading: updates.isUpgrading(),
        ...(await upgradeOf({ running: version, stable: known().stable }, upgrades)),
        startedAt: new Date(startedAtMs).toISOString(),
        uptimeSeconds: Math.floor((clock.dateMs() - startedAtMs) / 1000),
        health: { ...health, disk: { ...health.disk, ...(await daysLeft(disk, health)) } },
        activity: await activities(),
        ...(await stepsOf(steps)),
        ...(pair && { pair: await pairOf(pair, viaStandby) }),
        alerts,
      };
    });

    http.route(systemApi.diagnosis, async () => (await diagnose()).diagnosis);

    const { lacks } = mediaServer;
    const environment = { ...environmentOf(config), ...(lacks.length > 0 && { engineLacks: [...lacks] }) };
    http.route(systemApi.envs, async () => ({ ...environment, httpsPort: await httpsPortOf(config, mediaServer) }));
  };
}

/** A feature that cannot be read shows nothing; health says why. */
async function gatherActivities(work: Context['work']): Promise<Status['activity']> {
  const tabs = work.flatMap(({ activity = {} }) => Object.entries(activity));
  const found = await Promise.all(tabs.map(async ([tab, read]) => [tab, await read().catch(() => undefined)] as const));
  return Object.fromEntries(found.flatMap(([tab, state]) => (state ? [[tab, state]] : [])));
}

/** Settings that cannot be read must not hide the health that says so. */
async function upgradeOf(versions: { running: string; stable: string }, upgrades: Upgrades) {
  const { strategy, isDue } = await upgrades
    .upgrade(versions)
    .catch(() => ({ strategy: 'manual' as const, isDue: false }));
  return { strategy, upgradeDue: isDue };
}

async function daysLeft(disk: DiskTrend, { disk: { freeBytes } }: Health): Promise<{ fullInDays?: number }> {
  const fullInDays = await disk.fullInDays(freeBytes).catch(() => undefined);
  return fullInDays === undefined ? {} : { fullInDays };
}

async function pairOf({ leader, filesShared, standbys }: PairView, viaStandby: boolean): Promise<Pair> {
  const asked = viaStandby ? 'standby' : 'leader';
  return { asked, leader, standbys: await standbys().catch(() => []), filesShared };
}

async function stepsOf(steps: FirstStepsService): Promise<{ steps?: FirstSteps }> {
  return steps.read().then(
    (read) => ({ steps: read }),
    () => ({}),
  );
}

const blank = { severity: 'warn', subject: '', label: '', cause: '' } as const;

function guessingAlert(signIn: SignIn, nowMs: number): Alert[] {
  const guessing = signIn.guessingAlert();
  if (!guessing) return [];
  const since = new Date(nowMs - guessing.startedMsAgo).toISOString();
  return [
    { ...blank, kind: 'guessing', since, count: guessing.count, place: { page: 'settings', tab: 'auth', child: '' } },
  ];
}

function certificateAlert({ certificate }: Health, nowMs: number): Alert[] {
  if (!certificate?.isEnding) return [];
  const leftMs = Date.parse(certificate.expireAt) - nowMs;
  const count = Math.max(0, Math.floor(leftMs / dayMs));
  const severity = leftMs <= 0 ? 'bad' : 'warn';
  const place = { page: 'settings', tab: 'https', child: '' } as const;
  return [{ ...blank, kind: 'certificate', severity, since: certificate.expireAt, count, place }];
}

/** Only the engine knows a port chosen by the system. Behind a proxy, HTTPS has its default port. */
async function httpsPortOf({ https, httpsElsewhere }: Config, mediaServer: MediaServer): Promise<string> {
  if (httpsElsewhere) return '';
  if (https.port !== 0) return String(https.port);
  const listeners = (await mediaServer.health().catch(() => undefined))?.listeners ?? [];
  const port = listeners.find(({ protocol }) => protocol === 'https')?.port;
  return port ? String(port) : '';
}

function environmentOf({ published, mediaHost, rtcWorkers, candidate, inDocker, slots, demoKey }: Config): Environment {
  return {
    mgmtDocker: true,
    platformDocker: inDocker,
    candidate: candidate !== '',
    rtmpPort: published.rtmp,
    httpPort: published.http,
    srtPort: published.srt,
    ...(mediaHost !== '' && { mediaHost }),
    rtcPort: published.rtc,
    ...(rtcWorkers > 1 && { rtcWorkers }),
    forwardLimit: slots.forward,
    vLiveLimit: slots.vLive,
    cameraLimit: slots.camera,
    ...(demoKey !== '' && { isDemo: true }),
  };
}

interface Seen {
  readonly health: Health;
  readonly alerts: readonly Alert[];
  readonly diagnosis: Diagnosis;
  readonly ffmpeg: Tool;
}

/** The machine and how it is, for a stranger who reads a report: no names, no addresses. */
function describeServer({ health, alerts, diagnosis, ffmpeg }: Seen): Record<string, unknown> {
  const { store, engine, disk } = health;
  const { state, version, lacks } = ffmpeg;
  return {
    machine: { cores: availableParallelism(), memoryBytes: totalmem(), upSeconds: Math.round(uptime()) },
    process: { upSeconds: Math.round(process.uptime()), memoryBytes: process.memoryUsage.rss() },
    ffmpeg: { state, version, lacks },
    health: {
      store: store.ok,
      disk,
      engine: { ok: engine.ok, startedAt: engine.startedAt, listeners: engine.listeners },
    },
    diagnosis,
    alerts: alerts.map(({ kind, severity, since, count, cause, subject }) => ({
      kind,
      severity,
      since,
      count,
      cause,
      subject,
    })),
  };
}
