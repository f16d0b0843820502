import { type ChildProcess, fork } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { ManagedChild } from '../managed/managed-process.ts';

interface Options {
  /** Module that runs in the process. */
  readonly entry: string;
  readonly flags: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly graceMs: number;
  /** Receives standard output, which otherwise goes to our own. */
  readonly onOutput?: ((output: Readable) => void) | undefined;
  readonly onMessage: (message: unknown) => void;
  /** A message was not delivered because the process is gone. */
  readonly onLost: () => void;
  /** Reason of an exit. `error`: the process could not be started. */
  readonly explain: (end: { code: number | null; signal: string | null; error: Error | undefined }) => string;
}

type End = Awaited<ManagedChild['ended']>;

/**
 * A Node process with a message channel to this one. The channel closes when this process is gone, however it went: then the child ends in
 * order, which a signal of the kernel would not allow.
 */
export class ForkedChild implements ManagedChild {
  readonly ended: Promise<End>;
  readonly #child: ChildProcess;
  readonly #options: Options;
  #kill: NodeJS.Timeout | undefined;

  constructor(options: Options) {
    this.#options = options;
    const { entry, flags, env, onOutput, onMessage, explain } = options;
    const child = fork(entry, [], {
      env,
      execArgv: [...flags],
      stdio: ['ignore', onOutput ? 'pipe' : 'inherit', 'inherit', 'ipc'],
    });
    this.#child = child;
    if (child.stdout) onOutput?.(child.stdout);
    child.on('message', onMessage);
    this.ended = new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null, error?: Error) => {
        clearTimeout(this.#kill);
        resolve({ code, signal, reason: explain({ code, signal, error }) });
      };
      child.once('exit', (code, signal) => end(code, signal));
      // A process that could not be spawned (out of descriptors or memory) emits no other event.
      child.on('error', (error) => {
        if (child.pid === undefined) end(null, null, error);
      });
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  send(message: object): void {
    if (!this.#child.connected) return;
    this.#child.send(message, (error) => {
      if (error) this.#options.onLost();
    });
  }

  stop(): void {
    if (this.#kill) return;
    this.#kill = setTimeout(() => this.kill(), this.#options.graceMs);
    this.#child.kill('SIGTERM');
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
