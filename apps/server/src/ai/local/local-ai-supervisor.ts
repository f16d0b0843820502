import { readdir, rm, stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { localAiPaths } from '@weir/local-ai';
import type { Log } from '@weir/plane';
import { errorMessage } from '@weir/plane/error-message';
import { Child, logLines, ManagedProcess } from '@weir/process';
import type { ProcessExit } from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import { AiError } from '../ai.ts';

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

/** Size of the installed models of Whisper. */
async function whisperBytes(modelsDir: string): Promise<number> {
  const sizes = (['base', 'small'] as const).flatMap((size) => {
    const { encoder, decoder } = localAiPaths(modelsDir).whisper(size);
    return [encoder, decoder].map((path) =>
      stat(path).then(
        (found) => found.size,
        () => 0,
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
  /** Memory above which the process is replaced once it is idle. Models that the owner added need more room. */
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

interface KeeperState {
  readonly phase: 'stopped' | 'starting' | 'running' | 'backing-off';
  readonly pid: number;
  readonly startedAtMs: number;
  readonly starts: number;
  /** Consecutive failures. */
  readonly failures: number;
  /** Last unexpected exit. */
  readonly lastExit: ProcessExit | undefined;
}

/** The right to ask the process something. It is not ended for want of use while one is held. */
interface Lease {
  readonly socket: string;
  /** After a connection broke: resolves once the end of the process is known, or when it lives on. A call before that would reach nobody. */
  lost(): Promise<void>;
  end(): void;
}

/**
 * Process of built-in AI. Starts with the first call, stops when idle, is replaced when its memory has grown, and restarts after a pause
 * when it died. Never outlives this process.
 */
export class LocalAiSupervisor {
  readonly #context: Context;
  readonly #process: ManagedProcess;
  #calls = 0;
  #isClosed = false;

  constructor(context: Context) {
    this.#context = context;
    const { clock, modelsDir } = context;
    const timing = { ...usual, ...context.timing };
    const { readyMs, tickMs, idleMs, softBytes, hardBytes, firstPauseMs, longestPauseMs, healthyMs } = timing;
    this.#process = new ManagedProcess({
      clock,
      tickMs,
      start: (run) => this.#start(run.ready),
      backOff: { firstMs: firstPauseMs, mostMs: longestPauseMs, healthyMs },
      ready: { withinMs: readyMs, reason: () => 'did not start in time' },
      idle: { afterMs: idleMs, isUsed: () => this.#calls > 0 },
      memory: {
        isFailure: false,
        limits: async () => {
          const [added, whisper] = await Promise.all([addedBytes(modelsDir), whisperBytes(modelsDir)]);
          const roomBytes = Math.min(roomPerByte * added + whisperRoomPerByte * whisper, totalmem() / 2);
          return { mostBytes: hardBytes + roomBytes, idleBytes: softBytes + roomBytes };
        },
      },
      onExit: (exit) => this.#exited(exit),
    });
  }

  /** Waits until the process serves; `local-failed` when it does not. */
  async lease(signal: AbortSignal): Promise<Lease> {
    await this.#replaced();
    this.#calls += 1;
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      this.#calls -= 1;
      this.#process.touch();
    };
    try {
      const serving = this.#process.start().catch((error: unknown) => {
        throw new AiError('local-failed', `built-in AI ended unexpectedly: ${errorMessage(error)}`);
      });
      const { gone } = this.#process;
      await unlessAborted(serving, signal);
      const lost = async () => {
        const over = new AbortController();
        const ended = gone.then(() => over.abort());
        await Promise.race([ended, this.#context.clock.pause(heardWithinMs, over.signal).catch(() => undefined)]);
      };
      return { socket: this.#context.socket, lost, end };
    } catch (error) {
      end();
      throw error;
    }
  }

  state(): KeeperState {
    const { phase, pid = 0, startedAtMs, starts, failures, lastFailure } = this.#process.state;
    return {
      phase: phase === 'idle' ? 'stopped' : phase === 'stopping' ? 'running' : phase,
      pid,
      startedAtMs: pid === 0 ? 0 : startedAtMs,
      starts,
      failures,
      lastExit: lastFailure,
    };
  }

  /** Ends the process; the next call starts a new one. */
  end(reason: string): Promise<void> {
    return this.#process.end(reason);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#process.close();
  }

  /** At most one process at a time: two would need the memory twice. */
  async #replaced(): Promise<void> {
    if (this.#isClosed) throw new AiError('stopped', 'the server is stopping');
    if (this.#process.phase === 'stopping') {
      await this.#process.gone;
      return this.#replaced();
    }
    const waitMs = this.#process.pauseMs;
    if (waitMs > 0) throw new AiError('local-failed', 'built-in AI ended unexpectedly and is restarting', waitMs);
  }

  #start(ready: () => void): Child {
    const { log, socket, modelsDir, command } = this.#context;
    const [program, ...args] = command;
    const child = new Child({
      command: program,
      args,
      niceness: 10,
      softStop: 'signal',
      onOutput: this.#output(ready),
    });
    child.write(Buffer.from(`${JSON.stringify({ socket, modelsDir })}\n`));
    log.info({ pid: child.pid }, 'built-in AI started');
    return child;
  }

  /** Copies warnings of its log into ours. Native code prints text as it likes, which is not logged. */
  #output(ready: () => void): (chunk: Buffer) => void {
    return logLines(({ level = 'debug', msg, err }) => {
      if (msg === 'ready') ready();
      else if (typeof msg === 'string' && level !== 'info' && level !== 'debug') {
        const reason = typeof err === 'object' && err !== null && 'message' in err ? err.message : undefined;
        this.#context.log.warn({ level, reason }, `built-in AI: ${msg}`);
      }
    });
  }

  #exited({ wanted, reason, code, signal }: ProcessExit): void {
    const { log, socket } = this.#context;
    void rm(socket, { force: true }).catch(() => undefined);
    if (wanted) log.info({ reason }, 'built-in AI ended');
    else log.warn({ reason, code, signal, failures: this.#process.state.failures }, 'built-in AI failed');
  }
}

/** A model in memory is as large as its file, and about as much again while it works. */
const roomPerByte = 2;
/** Quantized weights of Whisper are unpacked, and half a minute of attention is kept: 500 MB for files of 75 MB. */
const whisperRoomPerByte = 7;
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
