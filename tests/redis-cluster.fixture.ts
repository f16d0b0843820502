import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './free-port.fixture.ts';
import { RedisServer } from './redis-server.fixture.ts';

const primaries = 3;
const replicasEach = 2;

/** Three primaries with two replicas each (Debian's Redis), which replace a primary after a second. */
export class RedisCluster {
  readonly servers: readonly RedisServer[];

  private constructor(servers: readonly RedisServer[]) {
    this.servers = servers;
  }

  static async start(): Promise<RedisCluster> {
    const servers = await Promise.all(
      Array.from({ length: primaries * (1 + replicasEach) }, async () =>
        RedisServer.start([
          ...['--cluster-enabled', 'yes', '--cluster-port', String(await freePort())],
          ...['--cluster-node-timeout', '1000', '--repl-diskless-sync-delay', '0'],
        ]),
      ),
    );
    const nodes = servers.map(({ port }) => `127.0.0.1:${port}`);
    await commandLine(['--cluster', 'create', ...nodes, '--cluster-replicas', String(replicasEach), '--cluster-yes']);
    const cluster = new RedisCluster(servers);
    for (const { port } of servers)
      while (!(await commandLine(['-p', String(port), 'CLUSTER', 'INFO'])).includes('cluster_state:ok'))
        await sleep(50);
    return cluster;
  }

  get url(): string {
    return `redis+cluster://${this.servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
  }

  /** The primary that has a key. */
  async findOwner(key: string): Promise<RedisServer> {
    for (const server of this.servers) {
      const answer = await commandLine(['-p', String(server.port), 'EXISTS', key]);
      if (!answer.startsWith('MOVED')) return server;
    }
    throw new Error('no server has this key');
  }

  async close(): Promise<void> {
    for (const server of this.servers) await server.close();
  }
}

async function commandLine(args: readonly string[]): Promise<string> {
  return (await promisify(execFile)('redis-cli', args)).stdout;
}
