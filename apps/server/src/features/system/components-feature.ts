import { lstat, opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { componentsApi, type DataOf, type DataUsage, type Plane, planeNames } from '@weir/contract';
import type { EngineHealth } from '@weir/engine-api';
import type { Config, LauncherLink, Log, PlaneState, PlaneStates } from '@weir/plane';
import { residentBytes } from '@weir/process';
import type { LocalAi } from '../../ai/local/local-ai.ts';
import { processReport } from '../../ai/local/process-report.ts';
import { type Clock, isoNow } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { Feature } from '../../feature.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import { downloaderProgram, ffmpegProgram, nodeTool, ProgramProbe, srtTool } from './tools.ts';

/** Beyond either the figure is a lower bound: a page must not keep the disk busy. */
const mostEntries = 100_000;
const mostMs = 2000;
const freshMs = 60_000;
const mostDeep = 32;
const shownEntries = 6;

interface Budget {
  entries: number;
  readonly isLate: () => boolean;
}

/** Measures the data directory on request, at most once a minute and once at a time. */
export class DataUseMeter {
  readonly #dataDir: string;
  readonly #clock: Clock;
  readonly #budget: { readonly entries: number; readonly ms: number };
  #measured: Promise<DataUsage> | undefined;
  #startedAtMs = Number.NEGATIVE_INFINITY;

  constructor(dataDir: string, clock: Clock, budget = { entries: mostEntries, ms: mostMs }) {
    this.#dataDir = dataDir;
    this.#clock = clock;
    this.#budget = budget;
  }

  read(): Promise<DataUsage> {
    const nowMs = this.#clock.elapsedMs();
    if (!this.#measured || nowMs - this.#startedAtMs >= freshMs) {
      this.#startedAtMs = nowMs;
      this.#measured = this.#measure();
    }
    return this.#measured;
  }

  async #measure(): Promise<DataUsage> {
    const path = this.#dataDir;
    const measuredAt = isoNow(this.#clock);
    const untilMs = this.#clock.elapsedMs() + this.#budget.ms;
    const budget: Budget = { entries: this.#budget.entries, isLate: () => this.#clock.elapsedMs() > untilMs };
    const parts: { name: string; bytes: number }[] = [];
    for (const name of await namesIn(path, budget)) {
      parts.push({ name, bytes: await bytesOf(join(path, name), budget, 0) });
    }
    const files = ['weir.db', 'weir.db-wal', 'weir.db-shm'].map((name) => sizeOf(join(path, name)));
    return {
      path,
      bytes: sum(parts.map(({ bytes }) => bytes)),
      atLeast: isSpent(budget),
      largest: parts
        .filter(({ bytes }) => bytes > 0)
        .sort((a, b) => b.bytes - a.bytes)
        .slice(0, shownEntries),
      measuredAt,
      storeBytes: sum(await Promise.all(files)),
    };
  }
}

/** Links are not followed: they may lead anywhere, or in circles. What vanishes meanwhile takes no room. */
async function bytesOf(path: string, budget: Budget, depth: number): Promise<number> {
  const facts = await lstat(path).catch(() => undefined);
  if (!facts) return 0;
  if (!facts.isDirectory() || depth >= mostDeep) return facts.isFile() ? facts.size : 0;
  let bytes = 0;
  for (const name of await namesIn(path, budget)) bytes += await bytesOf(join(path, name), budget, depth + 1);
  return bytes;
}

async function namesIn(directory: string, budget: Budget): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(directory)) {
      budget.entries -= 1;
      if (isSpent(budget)) break;
      names.push(name);
    }
  } catch {
    // Gone, or not ours to read: what was seen of it counts.
  }
  return names;
}

function isSpent({ entries, isLate }: Budget): boolean {
  return entries < 0 || isLate();
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

interface Context {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly mediaServer: MediaServer;
  readonly launcher: LauncherLink;
  readonly localAi: LocalAi;
}

/** Components of this server, inspected on demand. */
export function componentsFeature({ config, log, clock, mediaServer, launcher, localAi }: Context): Feature {
  const dataUse = new DataUseMeter(config.dataDir, clock);
  const ffmpeg = new ProgramProbe(ffmpegProgram, clock);
  const downloader = new ProgramProbe(downloaderProgram, clock);
  return {
    routes: (http) => {
      http.route(componentsApi.query, async () => {
        const [planes, ffmpegTool, downloaderTool, engine, use, ai, installed] = await Promise.all([
          observePlanes(launcher.planes(), clock.dateMs()),
          ffmpeg.read(),
          downloader.read(),
          mediaServer.health().catch(() => undefined),
          dataUse.read(),
          processReport(localAi.keeper),
          localAi.isInstalled(),
        ]);
        // A media server that is not ours has its own.
        const library = mediaServer.lacks.includes('process') ? [] : [srtTool(engine)];
        const tools = [nodeTool(), ffmpegTool, ...library, downloaderTool];
        return { planes, failedWorkers: failedWorkers(engine), tools, dataUse: use, ai: { ...ai, installed } };
      });

      http.route(componentsApi.restart, ({ name }, { caller, address }) => {
        if (!launcher.planes())
          throw new WeirError('unavailable', 'the launcher is not responding, components cannot be restarted');
        log.info({ plane: name, by: caller?.kind, address }, 'restart requested by an administrator');
        // Answers under way are finished by a plane that ends, this one among them.
        launcher.restart(name);
      });
    },
  };
}

function failedWorkers(engine: EngineHealth | undefined): DataOf<typeof componentsApi.query>['failedWorkers'] {
  return (engine?.workerExits ?? []).map(({ worker, count, last }) => ({
    name: worker,
    failures: count,
    lastExit: last,
  }));
}

/** Planes as last reported by the launcher, with their current CPU and memory. */
function observePlanes(states: PlaneStates | undefined, nowMs: number): Plane[] {
  if (!states) return [];
  return planeNames.map((name) => planeOf(name, states[name], residentBytes(states[name].pid), nowMs));
}

function planeOf(name: Plane['name'], state: PlaneState, memoryBytes: number | null, nowMs: number): Plane {
  const { pid, isReady, startedAt, restarts, lastExit } = state;
  return {
    name,
    pid,
    ready: isReady,
    startedAt,
    uptimeSeconds: pid === 0 ? 0 : Math.max(0, Math.floor((nowMs - Date.parse(startedAt)) / 1000)),
    memoryBytes,
    restarts,
    lastExit,
  };
}
