import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.fixture.ts';
import type { Behind } from './nginx.fixture.ts';
import { until } from './weir.fixture.ts';

/** True if Debian's `caddy` is installed. */
export function hasCaddy(): boolean {
  try {
    execFileSync('caddy', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Caddy with the file that owners are given. */
export class Caddy {
  readonly port: number;
  readonly #process: ChildProcess;
  readonly #directory: string;

  private constructor(port: number, process: ChildProcess, directory: string) {
    this.port = port;
    this.#process = process;
    this.#directory = directory;
  }

  static async proxy({ upstreamPort, key, certificate }: Behind): Promise<Caddy> {
    const directory = mkdtempSync(join(tmpdir(), 'weir-caddy-'));
    const port = await freePort();
    const given = readFileSync(join(import.meta.dirname, '../deploy/proxy/Caddyfile'), 'utf8');
    const site = given
      .replace('live.example.com {', `https://localhost:${port} {\n\ttls ${certificate} ${key}`)
      .replace('127.0.0.1:2022 {', `127.0.0.1:${upstreamPort} {`);
    const file = join(directory, 'Caddyfile');
    writeFileSync(file, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`);
    const env = { PATH: process.env.PATH, HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory };
    execFileSync('caddy', ['validate', '--adapter', 'caddyfile', '--config', file], { env, stdio: 'pipe' });
    const child = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], { env, stdio: 'ignore' });
    const caddy = new Caddy(port, child, directory);
    await until(() => {
      if (child.exitCode !== null) throw new Error('Caddy ended');
      // To a plain request it says that it expects another.
      return fetch(`http://localhost:${port}`).then(
        () => true,
        () => false,
      );
    }, 'Caddy answers');
    return caddy;
  }

  async close(): Promise<void> {
    if (this.#process.exitCode === null) {
      this.#process.kill('SIGTERM');
      await once(this.#process, 'exit');
    }
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
