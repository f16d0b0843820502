import { execFile } from 'node:child_process';
import { type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, onTestFinished, vi } from 'vitest';
import { CallerReader } from '../../http/caller.ts';
import { HttpExchange } from '../../http/exchange.ts';
import { serveHttp } from '../../http/http-server.fixture.ts';
import { Reply } from '../../http/reply.ts';
import { Clients } from '../../hub/clients/clients.ts';
import { FakeClock, FakeGate, FakeSource, temporaryDirectory } from '../../packagers/hls/hls-source.fixture.ts';
import { HlsStreams, type HlsStreamsOptions } from '../../packagers/hls/hls-streams.ts';
import { quietLog } from '../../quiet-log.fixture.ts';
import { HlsServer, type HlsServerOptions } from './hls-server.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
}

export interface OpenedHls {
  readonly hls: HlsServer;
  readonly streams: HlsStreams;
  readonly gate: FakeGate;
  readonly clock: FakeClock;
  readonly clients: Clients;
  readonly source: FakeSource;
  readonly directory: string;
  readonly origin: string;
  /** Ends everything that expired. */
  sweep(): void;
  get(path: string, options?: { method?: string; headers?: Record<string, string> }): Promise<Answer>;
  /** When the server has everything that was asked. */
  heard(): Promise<void>;
}

type Options = Partial<HlsServerOptions & Pick<HlsStreamsOptions, 'settings' | 'directory'>>;

/** A server on a free port, with one stream `live/show` that the test feeds. */
export async function openHls(options: Options = {}): Promise<OpenedHls> {
  const directory = options.directory ?? (await temporaryDirectory());
  const clock = new FakeClock();
  const gate = new FakeGate();
  const clients = new Clients();
  const { settings = { noHlsCtx: true, shortSegments: true } } = options;
  const streams = new HlsStreams({ gate, settings, directory, log: quietLog, clock });
  const hls = new HlsServer({ streams, gate, clients, ...options });
  await streams.open();
  await hls.open();
  const tools = { reply: new Reply('1.2.3'), callers: new CallerReader([]) };
  const requests = { sent: 0, heard: 0 };
  const port = await serveHttp((req, res) => {
    requests.heard += 1;
    hls.serve(new HttpExchange(req, res, tools));
  });
  const heard = async () => {
    await vi.waitFor(() => expect(requests.heard).toBe(requests.sent), { interval: 5 });
    // Waits for work of the same turn.
    await new Promise(setImmediate);
  };
  onTestFinished(async () => {
    await hls.close();
    await streams.close();
  });
  const origin = `http://127.0.0.1:${port}`;
  const source = new FakeSource(clock);
  streams.follow(source);
  const get: OpenedHls['get'] = async (path, { method = 'GET', headers = {} } = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    requests.sent += 1;
    const req = request(origin, { path, method, headers }, async (res) => {
      const body = await buffer(res);
      resolve({ status: res.statusCode ?? 0, headers: res.headers, body, text: body.toString() });
    });
    req.once('error', reject).end();
    return promise;
  };
  const sweep = () => {
    hls.sweep();
    streams.sweep();
  };
  return { hls, streams, sweep, gate, clock, clients, source, directory, origin, get, heard };
}

/** The addresses in a playlist. */
export function urisOf(playlist: string): string[] {
  return playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

/** ffprobe's view of a playlist on disk, and its complaints. */
export async function probe(
  url: string,
): Promise<{ streams: { codec_name: string; nb_read_frames: string }[]; errors: string }> {
  const args = ['-v', 'warning', '-live_start_index', '0', '-count_frames', '-show_streams', '-of', 'json', url];
  const { stdout, stderr } = await promisify(execFile)('ffprobe', args, { timeout: 60_000, killSignal: 'SIGKILL' });
  return { streams: JSON.parse(stdout).streams, errors: stderr };
}
