import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.fixture.ts';
import { until } from './weir.fixture.ts';

/** A certificate authority on this machine: Debian's pebble, with a DNS in which every name leads here. */
export class Pebble {
  readonly #directory = mkdtempSync(join(tmpdir(), 'weir-pebble-'));
  readonly #ports: { readonly acme: number; readonly management: number; readonly dns: number };
  #children: ChildProcess[] = [];

  private constructor(ports: { acme: number; management: number; dns: number }) {
    this.#ports = ports;
    const [key, crt] = [this.#file('key.pem'), this.authority];
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
    const files = ['-newkey', 'rsa:2048', '-keyout', key, '-out', crt];
    execFileSync('openssl', ['req', '-x509', '-nodes', ...subject, ...files], { stdio: 'ignore' });
  }

  /** Reserves its addresses; it runs after `start`. */
  static async prepare(): Promise<Pebble> {
    const [acme, management, dns] = await Promise.all([freePort(), freePort(), freePort()]);
    return new Pebble({ acme, management, dns });
  }

  get directory(): string {
    return `https://127.0.0.1:${this.#ports.acme}/dir`;
  }

  /** File of the authority that vouches for pebble's own address. */
  get authority(): string {
    return this.#file('crt.pem');
  }

  /** Environment that makes Weir order here. */
  get env(): Record<string, string> {
    return { WEIR_ACME_DIRECTORY: this.directory, WEIR_ACME_CA: this.authority };
  }

  /** Starts anew, without memory: checks domains on `httpPort`, and issues for `lifeSeconds`. */
  async start(httpPort: number, lifeSeconds = 90 * 24 * 3600): Promise<void> {
    await this.stop();
    const { acme, management, dns } = this.#ports;
    const config = {
      pebble: {
        listenAddress: `127.0.0.1:${acme}`,
        managementListenAddress: `127.0.0.1:${management}`,
        certificate: this.authority,
        privateKey: this.#file('key.pem'),
        httpPort,
        tlsPort: 1,
        certificateValidityPeriod: lifeSeconds,
      },
    };
    writeFileSync(this.#file('config.json'), JSON.stringify(config));
    const off = ['-http01', '', '-https01', '', '-tlsalpn01', ''];
    const names = ['-dns01', `127.0.0.1:${dns}`, '-defaultIPv4', '127.0.0.1', '-defaultIPv6', ''];
    this.#run('pebble-challtestsrv', [...off, ...names, '-management', '127.0.0.1:0']);
    this.#run('pebble', ['-config', this.#file('config.json'), '-dnsserver', `127.0.0.1:${dns}`]);
    await until(() => this.#request(this.directory).then(Boolean, () => false), 'pebble answers');
  }

  /** The root of what it issues; a new one at each start. */
  root(): Promise<string> {
    return this.#request(`https://127.0.0.1:${this.#ports.management}/roots/0`);
  }

  async stop(): Promise<void> {
    const ended = this.#children.filter(({ exitCode }) => exitCode === null).map((child) => once(child, 'exit'));
    for (const child of this.#children) child.kill('SIGKILL');
    await Promise.all(ended);
    this.#children = [];
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #run(program: string, args: string[]): void {
    const env = { PATH: process.env.PATH, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0' };
    this.#children.push(spawn(program, args, { env, stdio: 'ignore' }));
  }

  #request(url: string): Promise<string> {
    return new Promise((resolve, reject) => {
      get(url, { ca: readFileSync(this.authority), agent: false }, async (response) =>
        resolve((await response.toArray()).join('')),
      ).once('error', reject);
    });
  }

  #file(name: string): string {
    return join(this.#directory, name);
  }
}
