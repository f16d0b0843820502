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
/** As long as a plane fails seldom, its return is what counts: the console is back within five seconds, its own start included. */
const soonMs = 1000;
const soonAttempts = 8;
const longestMs = 10_000;

/**
 * How long to wait before the nth restart in a row (from 1). Doubles up to a limit, which is a higher one for a plane that fails again and
 * again; jitter keeps two planes that fail together from starting together.
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
/** A plane that served for this long has proved itself: the next failure counts as the first. */
const stableAfterMs = 30_000;

/**
 * The control plane carries uploads of any size, whose bytes are garbage as soon as they are written. With the usual young generation it
 * would look for them only every 60 MB; with a small one it stays as large as it is. It also does without the last of four compilers,
 * whose own code is 5 MB and whose speed calls do not show. The engine is left as fast as it can be.
 */
const planeFlags: Readonly<Record<PlaneName, readonly string[]>> = {
  engine: [],
  server: ['--max-semi-space-size=2', '--no-opt', ...lateCompiling()],
};

/**
 * Begins with the compiler before that one only for what many calls use: what just starts is not worth three megabytes. Names of such
 * options come and go, and one that is not known ends the process: only for the Node that this project brings.
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
  /** Its state is another now. */
  readonly onChange: () => void;
  /** It asks for a new process of a plane. */
  readonly onRestartRequested: (plane: PlaneName) => void;
  readonly readyWithinMs?: number;
}

/** As the texts for owners call them. */
const titles: Readonly<Record<PlaneName, string>> = { engine: 'media server', server: 'control server' };

/** Keeps one plane running: starts it, hears that it serves, starts it again when it ends, stops it for good. */
export class PlaneProcess {
  readonly #options: Options;
  #child: ChildProcess | undefined;
  #attempt = 0;
  #restartTimer: NodeJS.Timeout | undefined;
  #isStopping = false;
  #isRestarting = false;
  /** It served once: from then on keeping it running is ours. */
  #hasServed = false;
  #isReady = false;
  #startedAt = new Date(0);
  #restarts = 0;
  #lastExit: PlaneExit | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Resolves when the plane serves for the first time; rejects, with its reason, when it cannot. */
  async start(): Promise<ReadyFacts> {
    return this.#launch();
  }

  /** Ends the plane at once or, if it does not listen, soon after. */
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

  /** Ends the process and starts another at once. While one is on its way already, that one will do. */
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

  /** Passes on what the launcher knows of all planes. */
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
      // Programs read JSON straight from the plane; for people the launcher turns it into text.
      stdio: ['ignore', log.isPretty ? 'pipe' : 'inherit', 'inherit', 'ipc'],
    });
    this.#child = child;
    if (child.stdout) {
      // Loaded for a terminal only: a megabyte elsewhere.
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
        // The first start is the operator's to mend; whoever awaits it decides. Later ones are ours.
        else if (this.#hasServed) this.#restartSoon(cause);
      };
      child.once('exit', onGone);
      child.on('error', (error) => {
        log.log('error', 'process failed', { plane: name, reason: error.message });
        // One that could not be started, for want of descriptors or memory, has no other end than this.
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
    // A failure of this launch arrives as an exit as well, which schedules the next one.
    this.#launch().catch(() => undefined);
  }
}
