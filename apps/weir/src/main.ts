import { accessSync, constants, readFileSync, watch } from 'node:fs';
import { basename, join } from 'node:path';
import type { PlaneName } from '@weir/plane';
import { ConfigError, parseConfig, type ReleaseFacts } from '@weir/plane/config';
import { errorMessage } from '@weir/plane/error-message';
import { releaseStartupMemory } from '@weir/plane/release-startup-memory';
import { Launcher } from './launcher.ts';
import { LogWriter } from './log-writer.ts';
import type { PlaneProcess } from './plane-process.ts';

/** Editors write a file in several steps. */
const settleMs = 100;

/** Development only: restarts a plane when its code or shared code changes. */
function restartOnChange(root: string, planes: Record<PlaneName, PlaneProcess>, log: LogWriter): void {
  const sources: Record<string, readonly PlaneName[]> = {
    'apps/engine/src': ['engine'],
    'apps/server/src': ['server'],
    'packages/plane/src': ['engine', 'server'],
    'packages/streams/src': ['engine', 'server'],
    'packages/engine-api/src': ['engine', 'server'],
    'packages/contract/src': ['server'],
  };
  for (const [directory, affected] of Object.entries(sources)) {
    let timer: NodeJS.Timeout | undefined;
    watch(join(root, directory), { recursive: true }, (_event, file) => {
      if (file === null || file.endsWith('.test.ts')) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        for (const name of affected) {
          log.log('info', 'code changed', { plane: name, file });
          planes[name]
            .restart()
            .catch((error: unknown) => log.log('error', 'restart failed', { reason: String(error) }));
        }
      }, settleMs);
    });
  }
}

const everyMs = 400;

/**
 * Watches the processes between `npm start` and this one, as `scripts/start.mjs` found them: `12:11,11:10` lists each process and its
 * parent. A killed shell or npm sends no signal, and this server would keep all ports.
 */
function watchNpm(pairs: string, onGone: () => void): void {
  const links = pairs.split(',').map((pair) => pair.split(':').map(Number));
  const look = () => {
    if (links.every(([child = 0, parent = 0]) => readParentPid(child) === parent)) return;
    clearInterval(timer);
    onGone();
  };
  const timer = setInterval(look, everyMs);
  timer.unref();
  look();
}

function readParentPid(pid: number): number | undefined {
  if (pid === process.pid) return process.ppid;
  try {
    // The program name in parentheses may contain anything.
    const [, parent] = /.*\) . (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return Number(parent);
  } catch {
    return undefined;
  }
}

// Inherited by both planes and all their children: only this user may read recordings, segments and uploads.
process.umask(0o077);

const root = join(import.meta.dirname, '../../..');
/** The planes are built like this file: as source, or as one bundle. */
const entryOf = (plane: PlaneName) =>
  join(root, 'apps', plane, basename(import.meta.dirname), basename(import.meta.filename));
const log = new LogWriter(process.stdout, process.stdout.isTTY === true);

/** Parts of `package.json`; only releases say where they come from. */
interface About {
  readonly version: string;
  readonly release?: ReleaseFacts;
}

function readConfig() {
  const { version, release } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as About;
  try {
    return parseConfig(process.env, { cwd: process.cwd(), version, release });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    log.log('fatal', 'the configuration is not valid', { reason: error.message });
    process.exit(1);
  }
}

const config = readConfig();

/** Compiled code lies beside the programs, or with the data where only an installer may write there. */
function codeCacheDirectory(): string {
  try {
    accessSync(join(root, 'node_modules'), constants.W_OK);
    return join(root, 'node_modules/.cache/weir');
  } catch {
    return join(config.dataDir, 'cache/code');
  }
}

// Compiles code once per version, not per start. Two malloc arenas instead of one per idle thread, and free memory is returned in small
// pieces.
const env = {
  ...process.env,
  NODE_COMPILE_CACHE: codeCacheDirectory(),
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TOP_PAD_: '16384',
  MALLOC_TRIM_THRESHOLD_: '65536',
};
const launcher = Launcher.prepare(config, { entryOf, env, log });

/** A terminal signals all its processes and npm forwards signals too; repeats within this time are the same signal. */
const sameSignalMs = 1000;

let stoppingMs: number | undefined;
async function stop(reason: string, code: number): Promise<void> {
  if (stoppingMs !== undefined) {
    // A second signal exits at once. The planes notice and exit themselves.
    if (performance.now() - stoppingMs > sameSignalMs) process.exit(1);
    return;
  }
  stoppingMs = performance.now();
  log.log(code === 0 ? 'info' : 'fatal', code === 0 ? 'stopping' : 'start failed', { reason });
  await launcher.stop();
  log.log('info', 'stopped');
  process.exit(code);
}
/**
 * Becomes the program that is installed now, in the same process, which whoever watches over it does not notice. Settings of the environment
 * stay as they are.
 */
async function restartInPlace(): Promise<void> {
  if (stoppingMs !== undefined) return;
  if (!process.execve || process.channel) return log.log('error', 'restart in place is not possible here');
  stoppingMs = performance.now();
  log.log('info', 'restarting in place');
  await launcher.makeRoom();
  const [, program] = process.argv.find((arg) => arg.startsWith('--program='))?.split('=') ?? [];
  const [file, ...args] = program
    ? [program, program]
    : [process.execPath, process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(file, args, process.env);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal, 0));
process.on('SIGUSR2', () => void restartInPlace());
// Only the run that installed a newer Node has an IPC parent, which must end this process.
if (process.channel) process.on('disconnect', () => stop('the parent process exited', 0));

const [, starters] = process.argv.find((arg) => arg.startsWith('--started-by='))?.split('=') ?? [];
if (starters) watchNpm(starters, () => stop('npm was stopped', 0));

if (process.argv.includes('--watch')) restartOnChange(root, launcher.planes, log);
launcher
  .start()
  .then(releaseStartupMemory)
  // A stop during startup is no failure.
  .catch((error: unknown) => (stoppingMs === undefined ? stop(errorMessage(error), 1) : undefined));
