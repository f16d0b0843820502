import type { Readable } from 'node:stream';
import type { Boot, LauncherMessage, PlaneMessage, PlaneName, PlaneState, PlaneStates, ReadyFacts } from '@weir/plane';
import { ForkedChild } from '@weir/process/forked-child';
import { ManagedProcess, type ProcessRun } from '@weir/process/managed-process';
import type { ProcessExit } from '@weir/streams';
import type { LogWriter } from './log-writer.ts';

/**
 * Rare failures restart quickly: the console is back within five seconds, its own start included. A plane that keeps failing waits longer.
 */
const backOff = { firstMs: 200, soon: { failures: 8, mostMs: 800 }, mostMs: 10_000, healthyMs: 30_000 };
const defaultReadyWithinMs = 30_000;
const stopWithinMs = 4500;

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
  readonly #process: ManagedProcess<ReadyFacts>;
  #child: ForkedChild | undefined;
  /** From the first time it serves, restarts are up to this class. */
  #hasServed = false;
  #isStopping = false;
  #waitsFor = '';

  constructor(options: Options) {
    this.#options = options;
    const { name, onChange, readyWithinMs = defaultReadyWithinMs } = options;
    this.#process = new ManagedProcess<ReadyFacts>({
      backOff,
      start: (run) => this.#start(run),
      ready: {
        withinMs: readyWithinMs,
        reason: () =>
          `the ${titles[name]} was not ready within ${readyWithinMs / 1000} s; it was waiting for ${this.#waitsFor}`,
      },
      onReady: () => {
        this.#hasServed = true;
        onChange();
      },
      onExit: (exit, { pauseMs }) => this.#exited(exit, pauseMs),
      // A failed first start is left to the operator; later failures are restarted.
      onDue: () => this.#hasServed && this.#relaunch(),
    });
  }

  /** Resolves when the plane serves for the first time; rejects with the reason if it cannot. */
  start(): Promise<ReadyFacts> {
    return this.#process.start();
  }

  /** Ends the plane, by force if it does not react in time. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#process.close();
  }

  get state(): PlaneState {
    const { phase, pid = 0, startedAtMs, starts, lastExit = null } = this.#process.state;
    return {
      pid,
      isReady: phase === 'running',
      startedAt: new Date(startedAtMs).toISOString(),
      restarts: Math.max(0, starts - 1),
      lastExit,
    };
  }

  /** Restarts the process at once; does nothing while a restart is under way. */
  async restart(): Promise<void> {
    if (this.#isStopping || this.#process.phase === 'stopping') return;
    this.#process.forgive();
    if (this.#process.state.pid === undefined && !this.#hasServed) return;
    await this.#process.end('');
    this.#relaunch();
  }

  /** Sends the state of all planes to this one. */
  sendStates(planes: PlaneStates): void {
    if (this.#process.phase === 'running') this.#send({ type: 'planes', planes });
  }

  #start(run: ProcessRun<ReadyFacts>): ForkedChild {
    const { name, entry, boot, env, log, onRestartRequested } = this.#options;
    let failure: string | undefined;
    let hasServed = false;
    this.#waitsFor = 'its program to load';
    const child = new ForkedChild({
      entry,
      env,
      flags: [...process.execArgv.filter((flag) => flag !== '--jitless'), ...planeFlags[name]],
      graceMs: stopWithinMs,
      // JSON goes directly to stdout; for a terminal the launcher formats it.
      onOutput: log.isPretty ? (output) => writeLines(output, log) : undefined,
      onMessage: (received) => {
        const message = received as PlaneMessage;
        if (message.type === 'failed') failure = message.message;
        else if (message.type === 'waits') this.#waitsFor = message.for;
        else if (message.type === 'restart') onRestartRequested(message.plane);
        else {
          hasServed = true;
          run.ready(message.facts);
        }
      },
      onLost: () => log.log('debug', 'process exited before it received a message', { plane: name }),
      explain: ({ code, signal, error }) => {
        if (error) return `the ${titles[name]} could not be started: ${error.message}`;
        if (hasServed) return '';
        const how = signal ?? `code ${code}`;
        return (
          failure ?? `the ${titles[name]} exited (${how}) before it was ready; it was waiting for ${this.#waitsFor}`
        );
      },
    });
    this.#child = child;
    this.#send({ type: 'boot', boot });
    return child;
  }

  #send(message: LauncherMessage): void {
    this.#child?.send(message);
  }

  #exited({ wanted, code, signal, reason }: ProcessExit, pauseMs: number): void {
    const { name, log, onChange } = this.#options;
    if (this.#isStopping) return;
    onChange();
    if (wanted || !this.#hasServed) return;
    log.log('error', 'process exited, restarting it', {
      plane: name,
      code,
      signal,
      ...(reason !== '' && { reason }),
      attempt: this.#process.state.failures,
      delayMs: pauseMs,
    });
  }

  #relaunch(): void {
    // A failed launch also ends in an exit, after which the next one is due.
    this.#process.start({ isNow: true }).catch(() => undefined);
  }
}

function writeLines(output: Readable, log: LogWriter): void {
  // Loaded for terminals only: costs a megabyte.
  const { createInterface } = process.getBuiltinModule('node:readline');
  createInterface({ input: output }).on('line', (line) => log.writeLine(line));
}
