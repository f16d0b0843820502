import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.fixture.ts';
import { until } from './weir.fixture.ts';

const deploy = join(import.meta.dirname, '../deploy');

/** A file that owners are given, with their values in it. */
function filledIn(file: string, values: Readonly<Record<string, string>>): string {
  return readFileSync(join(deploy, file), 'utf8').replace(/\$\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

/** Module of Debian's libnginx-mod-rtmp. */
const rtmpModule = '/usr/lib/nginx/modules/ngx_rtmp_module.so';

interface Edge {
  /** `host:port` of what it asks. */
  readonly origin: string;
  readonly token: string;
}

/** Upstream of a proxy, and the paths of its certificate. */
export interface Behind {
  readonly upstreamPort: number;
  readonly key: string;
  readonly certificate: string;
}

/** Debian's nginx. */
export class Nginx {
  readonly origin: string;
  readonly #process: ChildProcess;
  readonly #directory: string;

  private constructor(origin: string, process: ChildProcess, directory: string) {
    this.origin = origin;
    this.#process = process;
    this.#directory = directory;
  }

  /** In front of a port, as a person sets it up who writes `proxy_pass` and nothing else. `settings` stand beside that. */
  static start(upstreamPort: number, settings = ''): Promise<Nginx> {
    return Nginx.#launch(
      (port) =>
        `server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${upstreamPort}; ${settings} } }`,
    );
  }

  /** Edge with the configuration file that owners get. */
  static edge({ origin, token }: Edge): Promise<Nginx> {
    return Nginx.#launch((port, directory) =>
      filledIn('edge-nginx/weir-edge.conf.template', {
        WEIR_ORIGIN: origin,
        WEIR_EDGE_TOKEN: token,
        WEIR_EDGE_LISTEN: `127.0.0.1:${port}`,
        WEIR_EDGE_CACHE: `${directory}/cache`,
      }),
    );
  }

  /** With HTTPS in front of a port, by the file that owners are given. */
  static async proxy({ upstreamPort, key, certificate }: Behind): Promise<Nginx> {
    const plainPort = await freePort();
    return Nginx.#launch((port) =>
      filledIn('proxy/nginx.conf', {})
        .replace(/listen (\[::\]:)?443/g, (_, six) => `listen ${six ? '[::1]' : '127.0.0.1'}:${port}`)
        .replace(/listen (\[::\]:)?80;/g, (_, six) => `listen ${six ? '[::1]' : '127.0.0.1'}:${plainPort};`)
        .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
        .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
        .replaceAll('127.0.0.1:2022', `127.0.0.1:${upstreamPort}`),
    );
  }

  /** RTMP edge, which asks `mayPlay` about each viewer. */
  static async rtmpEdge(edge: {
    readonly port: number;
    readonly origin: string;
    readonly mayPlay: string;
  }): Promise<Nginx> {
    const values = { WEIR_ORIGIN_RTMP: edge.origin, WEIR_EDGE_RTMP_LISTEN: `127.0.0.1:${edge.port}` };
    const rtmp = filledIn('edge-rtmp/nginx-rtmp.conf.template', values);
    const asking = rtmp.replace(/# on_play .*;/, `on_play ${edge.mayPlay};`);
    const nothing = (port: number) => `server { listen 127.0.0.1:${port}; return 204; }`;
    return Nginx.#launch(nothing, `load_module ${rtmpModule};`, asking);
  }

  /** Workers run as our user, which is the hardest case to tell from a script. */
  static async #launch(http: (port: number, directory: string) => string, modules = '', beside = ''): Promise<Nginx> {
    const directory = mkdtempSync(join(tmpdir(), 'weir-nginx-'));
    const port = await freePort();
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${directory}/${name};`,
    );
    const config = `
      ${modules}
      ${process.getuid?.() === 0 ? 'user root;' : ''}
      daemon off; worker_processes 1; pid ${directory}/pid; error_log ${directory}/error.log;
      events { worker_connections 4096; }
      http { access_log off; ${temporary.join(' ')} ${http(port, directory)} }
      ${beside}`;
    writeFileSync(join(directory, 'nginx.conf'), config);
    const env = { PATH: `${process.env.PATH}:/usr/sbin` };
    // Also what is wrong with the file itself, which is read before it names its log.
    const args = ['-e', join(directory, 'error.log'), '-p', directory, '-c', join(directory, 'nginx.conf')];
    const child = spawn('nginx', args, { env, stdio: 'ignore' });
    const nginx = new Nginx(`http://127.0.0.1:${port}`, child, directory);
    await until(() => {
      if (child.exitCode !== null) throw new Error(`nginx ended:\n${nginx.errors}`);
      return fetch(nginx.origin).then(
        () => true,
        () => false,
      );
    }, 'nginx answers');
    return nginx;
  }

  get port(): number {
    return Number(new URL(this.origin).port);
  }

  get errors(): string {
    return readFileSync(join(this.#directory, 'error.log'), 'utf8');
  }

  async close(): Promise<void> {
    if (this.#process.exitCode === null) {
      this.#process.kill('SIGTERM');
      await once(this.#process, 'exit');
    }
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
