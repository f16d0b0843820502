import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './weir.fixture.ts';

const program = join(import.meta.dirname, 's3-server.mjs');

/** A server that speaks S3 and checks signatures (`s3-server.mjs`), in a process of its own that can go away and come back. */
export class S3Server {
  readonly port: number;
  readonly #directory = mkdtempSync(join(tmpdir(), 'weir-s3-'));
  #process: ChildProcess | undefined;
  #output = '';

  private constructor(port: number) {
    this.port = port;
  }

  static async start(): Promise<S3Server> {
    const server = await S3Server.prepare();
    await server.start();
    return server;
  }

  /** Reserves its address; it runs after `start`. */
  static async prepare(): Promise<S3Server> {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const address = probe.address();
    probe.close();
    await once(probe, 'close');
    return new S3Server(typeof address === 'object' ? (address?.port ?? 0) : 0);
  }

  /** Client configuration; the key pair is the only one the server knows. */
  get bucket() {
    return {
      endpoint: `http://127.0.0.1:${this.port}`,
      region: 'us-east-1',
      bucket: 'recordings',
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
      prefix: '',
      pathStyle: true,
    };
  }

  /** `partDelayMs`: how long each part of a large file waits before it is read. */
  async start({ partDelayMs = 0 } = {}): Promise<void> {
    const args = [program, this.#directory, String(this.port), String(partDelayMs)];
    this.#process = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.on('data', (chunk) => (this.#output += String(chunk)));
    await until(
      async () => (await fetch(`http://127.0.0.1:${this.port}/`).catch(() => undefined)) !== undefined,
      'S3 answers',
    );
  }

  /** Gone at once, in the middle of whatever it does. What it has stays. */
  async stop(): Promise<void> {
    if (this.#process?.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.kill('SIGKILL');
    await once(this.#process, 'exit');
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** Requests it took, `PUT /recordings/a.mp4`, in their order, since it was first started. */
  get requests(): string[] {
    return [...this.#output.matchAll(/^(\w+ \S+) accepted$/gm)].map(([, request = '']) => request);
  }

  /** Keys of what it holds, in the order of their names. */
  keys(): string[] {
    const home = join(this.#directory, 'recordings');
    return readdirSync(home, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith(contents) && statSync(join(home, name)).isFile())
      .map((name) => name.slice(0, -contents.length))
      .sort();
  }

  /** Path of the file behind an object. */
  path(key: string): string {
    return join(this.#directory, 'recordings', key + contents);
  }

  read(key: string): Buffer {
    return readFileSync(this.path(key));
  }
}

const contents = '._S3rver_object';
