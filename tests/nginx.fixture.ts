import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.fixture.ts';
import { until } from './weir.fixture.ts';

/** Debian's nginx in front of a port, as a person sets it up who writes `proxy_pass` and nothing else. */
export class Nginx {
  readonly origin: string;
  readonly #process: ChildProcess;
  readonly #directory: string;

  private constructor(origin: string, process: ChildProcess, directory: string) {
    this.origin = origin;
    this.#process = process;
    this.#directory = directory;
  }

  /** `settings` stand beside `proxy_pass`. Its workers are of the user we are, the hardest to tell from a script. */
  static async start(upstreamPort: number, settings = ''): Promise<Nginx> {
    const directory = mkdtempSync(join(tmpdir(), 'weir-nginx-'));
    const port = await freePort();
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${directory}/${name};`,
    );
    const config = `
      ${process.getuid?.() === 0 ? 'user root;' : ''}
      daemon off; worker_processes 1; pid ${directory}/pid; error_log stderr;
      events { worker_connections 64; }
      http {
        access_log off; ${temporary.join(' ')}
        server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${upstreamPort}; ${settings} } }
      }`;
    writeFileSync(join(directory, 'nginx.conf'), config);
    const env = { PATH: `${process.env.PATH}:/usr/sbin` };
    const child = spawn('nginx', ['-p', directory, '-c', join(directory, 'nginx.conf')], { env, stdio: 'ignore' });
    const nginx = new Nginx(`http://127.0.0.1:${port}`, child, directory);
    await until(
      () =>
        fetch(nginx.origin).then(
          () => true,
          () => false,
        ),
      'nginx answers',
    );
    return nginx;
  }

  async close(): Promise<void> {
    if (this.#process.exitCode === null) {
      this.#process.kill('SIGTERM');
      await once(this.#process, 'exit');
    }
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
