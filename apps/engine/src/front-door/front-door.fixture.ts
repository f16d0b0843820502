import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { quietLog } from '../quiet-log.fixture.ts';
import { FrontDoor, type FrontDoorOptions } from './front-door.ts';

/** For tests: a front door on free ports with a control plane of the test's own making behind it. */
interface Opened {
  readonly door: FrontDoor;
  readonly port: number;
  readonly dataDir: string;
  readonly controlSocket: string;
}

type Overrides = Omit<Partial<FrontDoorOptions>, 'config'> & { config?: Partial<FrontDoorOptions['config']> };

export async function openFrontDoor({ config, ...rest }: Overrides = {}, control?: RequestListener): Promise<Opened> {
  const dataDir = await temporaryDirectory();
  const controlSocket = join(dataDir, 'server.sock');
  if (control) await startControl(controlSocket, control);
  const loopback = { host: '127.0.0.1', port: 0 };
  const door = new FrontDoor({
    controlSocket,
    log: quietLog,
    ...rest,
    config: {
      version: '1.2.3',
      dataDir,
      http: loopback,
      https: loopback,
      extraHttp: undefined,
      trustedProxies: [],
      ...config,
    },
  });
  await door.open();
  onTestFinished(() => door.close());
  return { door, port: door.httpPort, dataDir, controlSocket };
}

export async function startControl(socketPath: string, listener: RequestListener): Promise<Server> {
  const server = createServer({ keepAliveTimeout: 60_000 }, listener);
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  onTestFinished(() => stopControl(server));
  return server;
}

export async function stopControl(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'weir-engine-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Errors only, so that expected warnings stay out of the test output. */

export interface Got {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly text: string;
}

interface RequestOptions {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string;
  agent?: Agent;
}

export async function get(port: number, path: string, options: RequestOptions = {}): Promise<Got> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { method = 'GET', headers = {}, body, agent = new Agent({ keepAlive: false }) } = options;
  request({ host: '127.0.0.1', port, path, method, headers, agent }, resolve).once('error', reject).end(body);
  const res = await promise;
  const text = (await buffer(res)).toString();
  return { status: res.statusCode ?? 0, headers: res.headers, rawHeaders: res.rawHeaders, text };
}

/** Sends bytes as they are and returns everything that comes back until the other side ends the connection. */
export async function exchange(port: number, ...pieces: string[]): Promise<string> {
  const socket = await dial(port);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  for (const piece of pieces) socket.write(piece, 'latin1');
  await ended(socket);
  return text;
}

export async function dial(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port });
  onTestFinished(() => {
    socket.destroy();
  });
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return socket;
}

/** Resolves when the connection is over, whether it ended well or was reset. */
export async function ended(socket: Socket): Promise<void> {
  await new Promise<void>((resolve) => {
    socket.on('error', () => undefined).once('end', () => socket.end());
    socket.once('close', () => resolve());
  });
}
