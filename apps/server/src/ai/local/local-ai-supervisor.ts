import { readdir, rm, stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import type { Log } from '@weir/plane';
import { BackOff, Child, type ChildEnd } from '@weir/process';
import type { Clock } from '../../core/clock.ts';
import { residentBytes } from '../../core/resident-bytes.ts';
import { AiError } from '../ai.ts';
import { processOutput } from './process-output.ts';

/** Limit of folders searched for models, and of files in each. */
const most = 50;

/** Size of the models that the owner added: a folder each, beside that of built-in AI. None where nothing can be read. */
export async function addedBytes(modelsDir: string): Promise<number> {
  const folders = (await readdir(modelsDir).catch(() => [])).filter(
    (name) => name !== 'builtin' && !name.startsWith('.'),
  );
  const sizes = folders
    .sort()
    .slice(0, most)
    .map(async (folder) => {
      const names = await readdir(join(modelsDir, folder)).catch(() => []);
      const models = names.filter((name) => name.endsWith('.onnx')).slice(0, most);
      return sum(
        await Promise.all(
          models.map((name) =>
            stat(join(modelsDir, folder, name)).then(
              ({ size }) => size,
              () => 0,
            ),
          ),
        ),
      );
    });
  return sum(await Promise.all(sizes));
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

export interface KeeperTiming {
  readonly readyMs: number;
  /** Interval between checks of the process. */
  readonly tickMs: number;
  readonly idleMs: number;
  /** Above this it is replaced as soon as nobody waits for it. Models that the owner added need room beyond that. */
  readonly softBytes: number;
  /** And above this at once: listening to live streams never ends. */
  readonly hardBytes: number;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  readonly healthyMs: number;
}

const megabyte = 1024 * 1024;
const usual: KeeperTiming = {
  readyMs: 30_000,
  tickMs: 5000,
  idleMs: 600_000,
  softBytes: 600 * megabyte,
  hardBytes: 1000 * megabyte,
  firstPauseMs: 1000,
  longestPauseMs: 60_000,
  healthyMs: 60_000,
};

interface Context {
  readonly log: Log;
  readonly clock: Clock;
  /** The program and its arguments. */
  readonly command: readonly [string, ...string[]];
  readonly socket: string;
  readonly modelsDir: string;
  readonly timing?: Partial<KeeperTiming>;
}

/** The process while it runs. */
interface Running {
  readonly child: Child;
  readonly ready: Promise<void>;
  readonly startedAtMs: number;
  isReady: boolean;
  calls: number;
  lastUsedMs: number;
  /** Why it is being ended, if it is. */
  ending: string;
}

/** The last end of the process that nobody asked for. */
interface KeeperExit {
  readonly atMs: number;
  readonly reason: string;
  readonly code: number | null;
  readonly signal: string | null;
}

interface KeeperState {
  readonly phase: 'stopped' | 'starting' | 'running' | 'backing-off';
  readonly pid: number;
  readonly startedAtMs: number;
  readonly starts: number;
  /** In a row. */
  readonly failures: number;
  readonly lastExit: KeeperExit | undefined;
}

/** The right to ask the process something. It is not ended for want of use while one is held. */
interface Lease {
  readonly socket: string;
  /** After a connection broke: resolves once the end of the process is known, or when it lives on. A call before that would reach nobody. */
  lost(): Promise<void>;
  end(): void;
}

/**
 * Keeps the process of built-in AI: started with the first call, ended when nobody needed it for a while, replaced when it has
 * grown, started again after a pause when it died. It never outlives this process.
 */
export class LocalAiSupervisor {
  readonly #context: Context;
  readonly #timing: KeeperTiming;
  readonly #backOff: BackOff;
  readonly #stop = new AbortController();
  #running: Running | undefined;
  #gone: Promise<unknown> = Promise.resolve();
  #notBeforeMs = 0;
  #starts = 0;
  #lastExit: KeeperExit | undefined;

  constructor(context: Context) {
    this.#context = context;
    this.#timing = { ...usual, ...context.timing };
    const { firstPauseMs: firstMs, longestPauseMs: mostMs, healthyMs } = this.#timing;
    this.#backOff = new BackOff({ firstMs, mostMs, healthyMs });
  }

  /** Waits until the process serves; `local-failed` when it does not. */
  async lease(signal: AbortSignal): Promise<Lease> {
    const running = await this.#serving();
    running.calls += 1;
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      running.calls -= 1;
      running.lastUsedMs = this.#context.clock.elapsedMs();
    };
    try {
      await unlessAborted(running.ready, signal);
      const lost = async () => {
        const over = new AbortController();
        const ended = running.child.ended.then(() => over.abort());
        await Promise.race([ended, this.#context.clock.pause(heardWithinMs, over.signal).catch(() => undefined)]);
      };
      return { socket: this.#context.socket, lost, end };
    } catch (error) {
      end();
      throw error;
    }
  }

  state(): KeeperState {
    const { clock } = this.#context;
    const running = this.#running;
    const isWaiting = this.#notBeforeMs > clock.elapsedMs();
    return {
      phase: running ? (running.isReady ? 'running' : 'starting') : isWaiting ? 'backing-off' : 'stopped',
      pid: running?.child.pid ?? 0,
      startedAtMs: running?.startedAtMs ?? 0,
      starts: this.#starts,
      failures: this.#backOff.failures,
      lastExit: this.#lastExit,
    };
  }

  /** Ends the process; the next call starts a new one. */
  async end(reason: string): Promise<void> {
    if (this.#running) this.#end(this.#running, reason);
    await this.#gone;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.end('the server is stopping');
  }

  async #serving(): Promise<Running> {
    const { clock } = this.#context;
    if (this.#stop.signal.aborted) throw new AiError('stopped', 'the server is stopping');
    if (this.#running && this.#running.ending === '') return this.#running;
    // At most one at a time: two would need the memory twice.
    await this.#gone;
    if (this.#running) return this.#serving();
    const waitMs = this.#notBeforeMs - clock.elapsedMs();
    if (waitMs > 0) throw new AiError('local-failed', 'built-in AI ended unexpectedly and is restarting', waitMs);
    return this.#start();
  }

  #start(): Running {
    const { log, clock, socket, modelsDir, command } = this.#context;
    const [program, ...args] = command;
    const ready = Promise.withResolvers<void>();
    // Waiting callers see the rejection; there may be none.
    ready.promise.catch(() => undefined);
    const child = new Child({
      command: program,
      args,
      niceness: 10,
      softStop: 'signal',
      onOutput: processOutput(log, () => ready.resolve()),
      onEnd: (end) => {
        ready.reject(new AiError('local-failed', `built-in AI ended unexpectedly: ${end.reason}`));
        this.#ended(running, end);
      },
    });
    const running: Running = {
      child,
      ready: ready.promise,
      isReady: false,
      calls: 0,
      ending: '',
      startedAtMs: clock.dateMs(),
      lastUsedMs: clock.elapsedMs(),
    };
    this.#running = running;
    this.#starts += 1;
    ready.promise.then(
      () => (running.isReady = true),
      () => undefined,
    );
    child.write(Buffer.from(`${JSON.stringify({ socket, modelsDir })}\n`));
    log.info({ pid: child.pid }, 'built-in AI started');
    this.#gone = Promise.all([child.ended, this.#watch(running)]);
    return running;
  }

  #end(running: Running, reason: string): void {
    if (running.ending !== '') return;
    running.ending = reason;
    void running.child.stop();
  }

  #ended(running: Running, end: ChildEnd): void {
    const { log, clock, socket } = this.#context;
    this.#running = undefined;
    void rm(socket, { force: true }).catch(() => undefined);
    const hasServed = running.isReady;
    if (running.ending !== '' && running.ending !== tooSlow) {
      log.info({ reason: running.ending }, 'built-in AI ended');
      return;
    }
    const reason = running.ending || end.reason;
    this.#lastExit = { atMs: clock.dateMs(), reason, code: end.code, signal: end.signal };
    this.#notBeforeMs = clock.elapsedMs() + this.#backOff.next(hasServed ? end.ranMs : 0);
    log.warn({ reason, code: end.code, signal: end.signal, failures: this.#backOff.failures }, 'built-in AI failed');
  }

  /** Looks at the process until it is gone. */
  async #watch(running: Running): Promise<void> {
    const { clock, modelsDir } = this.#context;
    const { readyMs, tickMs, idleMs, softBytes, hardBytes } = this.#timing;
    const over = new AbortController();
    void running.child.ended.then(() => over.abort());
    const beganMs = clock.elapsedMs();
    while (!over.signal.aborted) {
      await clock.pause(tickMs, over.signal).catch(() => undefined);
      const bytes = (await residentBytes(running.child.pid ?? 0)) ?? 0;
      const isIdle = running.calls === 0;
      const roomBytes = Math.min(roomPerByte * (await addedBytes(modelsDir)), totalmem() / 2);
      if (!running.isReady && clock.elapsedMs() - beganMs > readyMs) this.#end(running, tooSlow);
      else if (bytes > hardBytes + roomBytes || (isIdle && bytes > softBytes + roomBytes))
        this.#end(running, 'used too much memory');
      else if (isIdle && clock.elapsedMs() - running.lastUsedMs >= idleMs) this.#end(running, 'idle');
    }
  }
}

/** A model in memory is as large as its file, and about as much again while it works. */
const roomPerByte = 2;
const tooSlow = 'did not start in time';
/** The end of a process is heard of within this time, also on a busy machine. */
const heardWithinMs = 5000;

function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new AiError('stopped', 'the request was stopped'));
    if (signal.aborted) return giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
