import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.fixture.ts';
import { isListening } from './listening.fixture.ts';
import { RedisServer } from './redis-server.fixture.ts';

/** The default delay before a copy to a replica is 5 s, which would be most of a test. */
const eager = ['--repl-diskless-sync-delay', '0', '--repl-ping-replica-period', '1'];

const password = 'sentinel-password';

/** A primary, two replicas, and three Sentinels with a password (Debian's) that choose another primary after a second. */
export class RedisSentinels {
  readonly servers: readonly RedisServer[];
  readonly sentinels: readonly Sentinel[];

  private constructor(servers: readonly RedisServer[], sentinels: readonly Sentinel[]) {
    this.servers = servers;
    this.sentinels = sentinels;
  }

  static async start(): Promise<RedisSentinels> {
    const primary = await RedisServer.start(eager);
    const following = ['--replicaof', '127.0.0.1', String(primary.port), ...eager];
    const replicas = await Promise.all([RedisServer.start(following), RedisServer.start(following)]);
    const sentinels = await Promise.all(Array.from({ length: 3 }, () => Sentinel.start(primary.port)));
    return new RedisSentinels([primary, ...replicas], sentinels);
  }

  get url(): string {
    return this.address({});
  }

  /** An address with another primary's name or other hosts. */
  address({ name = 'main', hosts = this.sentinels.map(({ port }) => `127.0.0.1:${port}`) }): string {
    return `redis+sentinel://${hosts.join(',')}/${name}?sentinel-password=${password}`;
  }

  async close(): Promise<void> {
    for (const each of [...this.sentinels, ...this.servers]) await each.close();
  }
}

class Sentinel {
  readonly port: number;
  readonly #directory: string;
  readonly #process: ChildProcess;

  private constructor(port: number, directory: string, process: ChildProcess) {
    this.port = port;
    this.#directory = directory;
    this.#process = process;
  }

  static async start(primaryPort: number): Promise<Sentinel> {
    const port = await freePort();
    const directory = mkdtempSync(join(tmpdir(), 'weir-sentinel-'));
    // Sentinel writes what it learns into its configuration file.
    const file = join(directory, 'sentinel.conf');
    const lines = [
      `port ${port}`,
      'bind 127.0.0.1',
      `dir ${directory}`,
      `requirepass ${password}`,
      `sentinel sentinel-pass ${password}`,
      `sentinel monitor main 127.0.0.1 ${primaryPort} 2`,
      'sentinel down-after-milliseconds main 1000',
      'sentinel failover-timeout main 5000',
    ];
    writeFileSync(file, lines.join('\n'));
    const child = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' });
    while (!(await isListening(port))) {
      if (child.exitCode !== null) throw new Error('Sentinel did not start');
      await sleep(10);
    }
    return new Sentinel(port, directory, child);
  }

  async close(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const gone = once(this.#process, 'exit');
      this.#process.kill('SIGKILL');
      await gone;
    }
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
