import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { srsConf } from '../../../apps/server/src/media-server/srs/srs-conf.ts';
import { srsEdgeConf } from '../../../apps/server/src/media-server/srs/srs-edge-conf.ts';
import { freePort } from '../../free-port.fixture.ts';
import { isListening } from '../../listening.fixture.ts';
import { until } from '../../weir.fixture.ts';
import type { Live } from '../fixtures/live.fixture.ts';
import { srsBinary } from './srs-binary.fixture.ts';

interface SrsPorts {
  readonly rtmp: number;
  readonly srt: number;
  readonly rtc: number;
  readonly api: number;
  readonly http: number;
  /** Weir's. */
  readonly hooks: number;
}

export async function srsPorts(): Promise<SrsPorts> {
  const [rtmp = 0, srt = 0, rtc = 0, api = 0, http = 0, hooks = 0] = await Promise.all(
    Array.from({ length: 6 }, freePort),
  );
  return { rtmp, srt, rtc, api, http, hooks };
}

/** Environment of Weir for this SRS. */
export function srsEnvironment(ports: SrsPorts): Record<string, string> {
  return {
    WEIR_ENGINE: 'srs',
    WEIR_SRS_API: `http://127.0.0.1:${ports.api}`,
    WEIR_SRS_HTTP: `http://127.0.0.1:${ports.http}`,
    WEIR_SRS_HOOKS: `127.0.0.1:${ports.hooks}`,
    WEIR_RTMP_LISTEN: String(ports.rtmp),
    WEIR_SRT_LISTEN: String(ports.srt),
    WEIR_RTC_LISTEN: String(ports.rtc),
    RTMP_PORT: String(ports.rtmp),
  };
}

interface Options {
  readonly directory: string;
  readonly token: string;
  /** Other origins. */
  readonly coworkers?: readonly string[];
}

/** SRS with the configuration that Weir makes for it. */
export class Srs {
  readonly #process: ChildProcess;
  said = '';

  private constructor(child: ChildProcess) {
    this.#process = child;
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (this.said += String(chunk)));
  }

  /** `directory`: for its configuration and its segments. */
  static async start(ports: SrsPorts, { directory, token, coworkers = [] }: Options): Promise<Srs> {
    mkdirSync(directory, { recursive: true });
    const file = join(directory, 'srs.conf');
    const facts = {
      rtmpPort: ports.rtmp,
      srtPort: ports.srt,
      rtcPort: ports.rtc,
      candidate: '',
      hlsPath: directory,
      srtPassphrase: '',
      coworkers,
      api: `127.0.0.1:${ports.api}`,
      http: `127.0.0.1:${ports.http}`,
      hooks: `http://127.0.0.1:${ports.hooks}/${token}`,
    };
    writeFileSync(file, srsConf(facts));
    const srs = new Srs(spawn(srsBinary, ['-c', file], { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] }));
    return srs.#whenReady(async () => {
      const api = await fetch(`http://127.0.0.1:${ports.api}/api/v1/versions`).catch(() => undefined);
      return api?.ok === true && (await isListening(ports.rtmp));
    });
  }

  /** An edge before others. */
  static startEdge(ports: { rtmp: number; http: number }, directory: string, origins: readonly string[]): Promise<Srs> {
    const file = join(directory, 'edge.conf');
    writeFileSync(file, srsEdgeConf({ rtmp: String(ports.rtmp), http: String(ports.http), origins }));
    const srs = new Srs(spawn(srsBinary, ['-c', file], { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] }));
    return srs.#whenReady(() => isListening(ports.rtmp));
  }

  async #whenReady(isReady: () => Promise<boolean>): Promise<Srs> {
    await until(isReady, 'SRS answers').catch(async (error) => {
      await this.stop();
      throw new Error(`${String(error)}\n${this.said}`);
    });
    return this;
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.kill('SIGKILL');
    await new Promise((resolve) => this.#process.once('exit', resolve));
  }
}

/** Answer of the API, which must succeed. */
export async function callWeir(live: Live, path: string, body: object = {}) {
  const answer = await live.post(`/terraform/v1/${path}`, body);
  expect([path, answer.code]).toEqual([path, 0]);
  return answer.data;
}

/** Names of all live streams in one line. */
export async function streamNames(live: Live): Promise<string> {
  const { streams } = await callWeir(live, 'mgmt/streams/query');
  return streams
    .map(({ stream }: { stream: string }) => stream)
    .sort()
    .join();
}
