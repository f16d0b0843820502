import { type ChildProcess, fork } from 'node:child_process';
import type {
  Boot,
  LauncherMessage,
  PlaneExit,
  PlaneMessage,
  PlaneName,
  PlaneState,
  PlaneStates,
  ReadyFacts,
} from '@weir/plane';
import type { LogWriter } from './log-writer.ts';

const firstMs = 200;
/** Rare failures restart quickly: the console is back within five seconds, its own start included. */
const soonMs = 1000;
const soonAttempts = 8;
const longestMs = 10_000;

/**
 * Delay before the nth consecutive restart (from 1). Doubles up to a limit, which is higher for a plane that keeps failing; jitter
 * separates planes that fail together.
 */
export function restartDelayMs(attempt: number, random: () => number = Math.random): number {
  const full =
    attempt <= soonAttempts
      ? Math.min(soonMs, firstMs * 2 ** (attempt - 1))
      : Math.min(longestMs, soonMs * 2 ** (attempt - soonAttempts));
  return Math.round(full * (0.5 + random() / 2));
}

const defaultReadyWithinMs = 30_000;
const stopWithinMs = 4500;
/** After serving this long, the next failure counts as the first. */
const stableAfterMs = 30_000;

/**
 * The control plane handles uploads of any size, whose buffers become garbage at once. The default young generation would grow by 60 MB
 * before a collection; a small one keeps the process small. It also skips TurboFan, whose code takes 5 MB and whose speed API calls do not
 * need. The engine keeps all optimisations.
 */
const planeFlags: Readonly<Record<PlaneName, readonly string[]>> = {
  engine: [],
  server: ['--max-semi-space-size=2', '--no-opt', ...lateCompiling()],
};

/**
 * Delays Maglev for cold code, which saves three megabytes. V8 flags change between versions and an unknown flag ends the process, so this
 * applies only to the Node version of this project.
 */
function lateCompiling(): string[] {
  if (!process.versions.node.startsWith('24.')) return [];
  return ['--invocation-count-for-maglev=6000', '--invocation-count-for-maglev-osr=6000'];
}

interface Options {
  readonly name: PlaneName;
  readonly entry: string;
  readonly boot: Boot;
  readonly env: NodeJS.ProcessEnv;
  readonly log: LogWriter;
  readonly onChange: () => void;
  /** The plane requests a restart of a plane. */
  readonly onRestartRequested: (plane: PlaneName) => void;
  readonly readyWithinMs?: number;
}

/** Names in texts for owners. */
const titles: Readonly<Record<PlaneName, string>> = { engine: 'media server', server: 'control server' };

/** Keeps one plane running: starts it, waits until it serves, restarts it after an exit, and stops it. */
export class PlaneProcess {
  readonly #options: Options;
  #child: ChildProcess | undefined;
  #attempt = 0;
  #restartTimer: NodeJS.Timeout | undefined;
  #isStopping = false;
  #isRestarting = false;
  /** From the first time it serves, restarts are up to this class. */
  #hasServed = false;
  #isReady = false;
  #startedAt = new Date(0);
  #restarts = 0;
  #lastExit: PlaneExit | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Resolves when the plane serves for the first time; rejects with the reason if it cannot. */
  async start(): Promise<ReadyFacts> {
    return this.#launch();
  }

  /** Ends the plane, by force if it does not react in time. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#restartTimer);
    await this.#end();
  }

  get state(): PlaneState {
    return {
      pid: this.#isRunning ? (this.#child?.pid ?? 0) : 0,
      isReady: this.#isReady,
      startedAt: this.#startedAt.toISOString(),
      restarts: this.#restarts,
      lastExit: this.#lastExit,
    };
  }

  /** Restarts the process at once; does nothing while a restart is under way. */
  async restart(): Promise<void> {
    if (this.#isStopping || this.#isRestarting) return;
    this.#attempt = 0;
    if (this.#isRunning) {
      this.#isRestarting = true;
      await this.#end();
    } else if (this.#hasServed) {
      clearTimeout(this.#restartTimer);
      this.#relaunch();
    }
  }

  /** Sends the state of all planes to this one. */
  sendStates(planes: PlaneStates): void {
    if (this.#isReady) this.#send({ type: 'planes', planes });
  }

  get #isRunning(): boolean {
    const child = this.#child;
    return child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
  }

  async #end(): Promise<void> {
    const child = this.#child;
    if (!child || !this.#isRunning) return;
    await new Promise<void>((resolve) => {
      const kill = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
      child.once('exit', () => {
        clearTimeout(kill);
        resolve();
      });
      child.kill('SIGTERM');
    });
  }

  #launch(): Promise<ReadyFacts> {
    const { name, entry, boot, env, log, onChange, onRestartRequested } = this.#options;
    const { readyWithinMs = defaultReadyWithinMs } = this.#options;
    this.#startedAt = new Date();
    const child = fork(entry, [], {
      env,
      execArgv: [...process.execArgv.filter((flag) => flag !== '--jitless'), ...planeFlags[name]],
      // JSON goes directly to stdout; for a terminal the launcher formats it.
      stdio: ['ignore', log.isPretty ? 'pipe' : 'inherit', 'inherit', 'ipc'],
    });
    this.#child = child;
    if (child.stdout) {
      // Loaded for terminals only: costs a megabyte.
      const { createInterface } = process.getBuiltinModule('node:readline');
      createInterface({ input: child.stdout }).on('line', (line) => log.writeLine(line));
    }

    return new Promise((resolve, reject) => {
      let failure: string | undefined;
      let waitsFor = 'its program to load';
      const tooLate = setTimeout(() => {
        failure = `the ${titles[name]} was not ready within ${readyWithinMs / 1000} s; it was waiting for ${waitsFor}`;
        child.kill('SIGKILL');
      }, readyWithinMs);
      child.on('message', (message: PlaneMessage) => {
        switch (message.type) {
          case 'failed':
            failure = message.message;
            return;
          case 'waits':
            waitsFor = message.for;
            return;
          case 'restart':
            onRestartRequested(message.plane);
            return;
          case 'ready':
            this.#isReady = true;
            this.#hasServed = true;
            clearTimeout(tooLate);
            resolve(message.facts);
            onChange();
        }
      });
      let isGone = false;
      const onGone = (code: number | null, signal: NodeJS.Signals | null) => {
        if (isGone) return;
        isGone = true;
        clearTimeout(tooLate);
        failure ??= `the ${titles[name]} exited (${signal ?? `code ${code}`}) before it was ready; it was waiting for ${waitsFor}`;
        reject(new Error(failure));
        if (this.#isReady && Date.now() - this.#startedAt.getTime() >= stableAfterMs) this.#attempt = 0;
        const cause = { code, signal, reason: this.#isReady ? '' : failure };
        this.#lastExit = { at: new Date().toISOString(), isWanted: this.#isRestarting, ...cause };
        const isWanted = this.#isRestarting;
        this.#isReady = false;
        this.#isRestarting = false;
        if (this.#isStopping) return;
        onChange();
        if (isWanted) this.#relaunch();
        // A failed first start is left to the operator; later failures are restarted.
        else if (this.#hasServed) this.#restartSoon(cause);
      };
      child.once('exit', onGone);
      child.on('error', (error) => {
        log.log('error', 'process failed', { plane: name, reason: error.message });
        // A process that could not be spawned (out of descriptors or memory) emits no other event.
        if (child.pid !== undefined) return;
        failure = `the ${titles[name]} could not be started: ${error.message}`;
        onGone(null, null);
      });
      this.#send({ type: 'boot', boot });
    });
  }

  #send(message: LauncherMessage): void {
    if (!this.#child?.connected) return;
    this.#child.send(message, (error) => {
      if (error)
        this.#options.log.log('debug', 'process exited before it received a message', { plane: this.#options.name });
    });
  }

  #restartSoon({ code, signal, reason }: Pick<PlaneExit, 'code' | 'signal' | 'reason'>): void {
    const { name, log } = this.#options;
    this.#attempt += 1;
    const delayMs = restartDelayMs(this.#attempt);
    log.log('error', 'process exited, restarting it', {
      plane: name,
      code,
      signal,
      ...(reason !== '' && { reason }),
      attempt: this.#attempt,
      delayMs,
    });
    this.#restartTimer = setTimeout(() => this.#relaunch(), delayMs);
  }

  #relaunch(): void {
    this.#restarts += 1;
    // A failed launch also emits an exit, which schedules the next one.
    this.#launch().catch(() => undefined);
  }
}
