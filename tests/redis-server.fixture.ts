import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.fixture.ts';
import { isListening } from './listening.fixture.ts';

/** Settings for durable writes. */
const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];

/** Debian's Redis, on a port of this machine, with its data in a folder of its own. */
export class RedisServer {
  readonly port: number;
  readonly #directory = mkdtempSync(join(tmpdir(), 'weir-redis-'));
  readonly #args: readonly string[];
  #process: ChildProcess | undefined;

  private constructor(port: number, args: readonly string[]) {
    this.port = port;
    this.#args = args;
  }

  static async start(args: readonly string[] = []): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), args);
    await server.startAgain();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  async startAgain(): Promise<void> {
    const own = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.#directory];
    const child = spawn('redis-server', [...own, ...durable, ...this.#args], { stdio: 'ignore' });
    this.#process = child;
    while (!(await isListening(this.port))) {
      if (child.exitCode !== null) throw new Error('redis-server did not start');
      await sleep(10);
    }
  }

  /** Simulates a power cut. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  async close(): Promise<void> {
    await this.kill();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
