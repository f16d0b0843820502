import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Session } from '@weir/contract';

const root = join(import.meta.dirname, '..');
/** The whole run builds what `npm start` runs before, which starts in half the time; a single file runs the source as it is now. */
const ready = join(root, process.env.WEIR_TEST_BUILT ? 'apps/weir/dist/main.cjs' : 'apps/weir/src/main.ts');
/** `npm start` itself: makes files of the source where they are not there yet, and runs them. */
export const built = join(root, 'scripts/start.mjs');

/**
 * A test that encodes a film stands still for seconds. The server closes idle connections meanwhile, and the next request would be sent on one
 * of them before its end is read.
 */
export const ownConnection = { connection: 'close' };

interface LogRecord {
  readonly name: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** A whole Weir: launcher and both planes, as `npm start` runs them, on ports of the system's choice. */
export class Weir {
  readonly process: ChildProcess;
  readonly dataDir: string;
  readonly #host: string;
  #output = '';
  #serving: LogRecord | undefined;

  private constructor(process: ChildProcess, dataDir: string, host: string) {
    this.process = process;
    this.dataDir = dataDir;
    this.#host = host;
    for (const stream of [process.stdout, process.stderr])
      stream?.on('data', (chunk) => (this.#output += String(chunk)));
  }

  /** Starts without waiting. */
  static launch(
    env: Record<string, string> = {},
    dataDir = mkdtempSync(join(tmpdir(), 'weir-run-')),
    wrapper: readonly string[] = [],
    entry = ready,
  ): Weir {
    const ports = {
      MGMT_LISTEN: '127.0.0.1:0',
      HTTPS_LISTEN: '127.0.0.1:0',
      WEIR_RTMP_LISTEN: '127.0.0.1:0',
      WEIR_SRT_LISTEN: '127.0.0.1:0',
      WEIR_RTC_LISTEN: '127.0.0.1:0',
    };
    const [command = process.execPath, ...args] = [...wrapper, process.execPath, entry];
    const child = spawn(command, args, {
      cwd: root,
      env: { PATH: process.env.PATH, ...ports, WEIR_DATA: dataDir, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new Weir(child, dataDir, env.MGMT_LISTEN?.startsWith('[::1]') ? '[::1]' : '127.0.0.1');
  }

  /** `wrapper`: a program and its arguments that end by becoming Weir, such as `prlimit --nofile=100`. */
  static async start(
    env: Record<string, string> = {},
    dataDir?: string,
    wrapper?: readonly string[],
    entry?: string,
  ): Promise<Weir> {
    const weir = Weir.launch(env, dataDir, wrapper, entry);
    try {
      await until(() => weir.records('serving').length > 0 || weir.process.exitCode !== null, 'serving');
    } catch (error) {
      // The instance is unknown to callers, so it must be ended here.
      await weir.close();
      throw error;
    }
    if (weir.process.exitCode !== null) throw new Error(`did not start:\n${weir.output}`);
    return weir;
  }

  /** Output of all three processes. */
  get output(): string {
    return this.#output;
  }

  records(msg: string): LogRecord[] {
    // Asked again and again while something is waited for: what cannot be it is not parsed.
    const text = JSON.stringify(msg);
    return this.#output
      .split('\n')
      .filter((line) => line.includes(text) && line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as LogRecord)
      .filter((record) => record.msg === msg);
  }

  get #ports(): LogRecord | undefined {
    this.#serving ??= this.records('serving')[0];
    return this.#serving;
  }

  get httpPort(): number {
    return Number(this.#ports?.httpPort);
  }

  get httpsPort(): number {
    return Number(this.#ports?.httpsPort);
  }

  get rtmpPort(): number {
    return Number(this.#ports?.rtmpPort);
  }

  get srtPort(): number {
    return Number(this.#ports?.srtPort);
  }

  get origin(): string {
    return `http://${this.#host}:${this.httpPort}`;
  }

  get setupCode(): string {
    return new URL(String(this.records('setup URL')[0]?.url)).searchParams.get('code') ?? '';
  }

  async post(path: string, body: object = {}, headers: Record<string, string> = {}): Promise<Answer> {
    const asked = { method: 'POST', body: JSON.stringify(body), headers: { ...ownConnection, ...headers } };
    const response = await fetch(this.origin + path, asked).catch((error) => {
      // `fetch failed` alone does not say why.
      throw new Error(`${path}: ${error.cause ?? error}`);
    });
    return { status: response.status, headers: response.headers, ...((await response.json()) as object) } as Answer;
  }

  /** Sets the password with the code that the start printed, and signs in. */
  async setUp(password = 'the password'): Promise<Session> {
    const { data } = await this.post('/terraform/v1/mgmt/init', { password, code: this.setupCode });
    return data;
  }

  /** Process id of a plane that runs now. */
  pidOf(plane: 'engine' | 'server'): number {
    const pid = this.#find(plane);
    if (pid === undefined) throw new Error(`no ${plane} runs`);
    return pid;
  }

  hasPlane(plane: 'engine' | 'server'): boolean {
    return this.#find(plane) !== undefined;
  }

  /** Waits until another process has replaced this one. */
  async replaced(plane: 'engine' | 'server', pid: number): Promise<void> {
    await until(() => ![undefined, pid].includes(this.#find(plane)), `another ${plane}`);
  }

  #find(plane: 'engine' | 'server'): number | undefined {
    return childrenOf(this.process.pid ?? 0).find((child) => isPlane(child, plane));
  }

  /** The same server after a stop and a start: its data directory and its HTTP port. */
  async restarted(env: Record<string, string> = {}): Promise<Weir> {
    const { httpPort } = this;
    this.process.kill('SIGTERM');
    await once(this.process, 'exit');
    return Weir.start({ MGMT_LISTEN: `127.0.0.1:${httpPort}`, ...env }, this.dataDir);
  }

  /** Ends the control plane as a crash would, and waits until the launcher has replaced it. Streams go on. */
  async crashServer(): Promise<void> {
    const pid = this.pidOf('server');
    process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(pid), 'the server is gone');
    const check = `${this.origin}/terraform/v1/mgmt/check`;
    const answers = () => fetch(check, { headers: ownConnection }).then(({ status }) => status === 200);
    await until(() => answers().catch(() => false), 'the server answers again');
  }

  /** Ends everything and removes the data directory. */
  async close(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      this.process.kill('SIGTERM');
      await once(this.process, 'exit');
    }
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

function isPlane(pid: number, plane: 'engine' | 'server'): boolean {
  return new RegExp(`apps/${plane}/(src/main\\.ts|dist/main\\.cjs)`).test(commandOf(pid));
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly code: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly data: any;
}

/** A POST as a script on this machine sends it: by a program that speaks to nobody else. */
export async function programPost(weir: Weir, path: string, body: object = {}): Promise<Omit<Answer, 'headers'>> {
  const script = `
    const [url, body] = process.argv.slice(1);
    fetch(url, { method: 'POST', body }).then(async (answer) => {
      process.stdout.write(JSON.stringify({ status: answer.status, ...(await answer.json()) }));
    });`;
  const args = ['-e', script, weir.origin + path, JSON.stringify(body)];
  return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout);
}

const mostPauseMs = 100;

/** Waits with the patience of all tests. A shorter time is a claim about the condition. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  withinMs = 120_000,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  // Most conditions are a call to the server: asked fifty times a second they would take the cores from what is waited for.
  for (let pauseMs = 20; !(await condition()); pauseMs = Math.min(mostPauseMs, pauseMs * 1.2)) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`);
    await sleep(pauseMs);
  }
}

export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

export function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return (
          new RegExp(`^PPid:\\s+${parent}$`, 'm').test(readFileSync(`/proc/${pid}/status`, 'utf8')) && isAlive(pid)
        );
      } catch {
        return false;
      }
    });
}

/** Processes of a worker that an engine started. */
export function workersOf(engine: number, name: 'srt' | 'rtc'): number[] {
  return childrenOf(engine).filter((pid) => commandOf(pid).includes(`/${name}-worker.`));
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
