import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type ConnectionOptions, connect, TLSSocket } from 'node:tls';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { SharedMemory } from '../delivery/shared-memory.ts';
import type { Exchange } from '../http/exchange.ts';
import { quietLog } from '../quiet-log.fixture.ts';
import { installPair, makePair, type Pair } from '../tls-pair.fixture.ts';
import { DeliveryPool } from '../workers/delivery/delivery-pool.ts';
import { dial } from './front-door.fixture.ts';
import { ask, openSecure, openSession } from './http2/http2.fixture.ts';

const pieceBytes = 5 * 1024 * 1024 + 1;
const piece = Buffer.alloc(pieceBytes);
for (let at = 0; at + 4 <= piece.length; at += 4) piece.writeUInt32BE(at, at);

let pair: Pair;
beforeAll(async () => {
  pair = await makePair();
});

/** However it ends. */
const closed = (socket: Socket) => new Promise<unknown>((resolve) => socket.resume().once('close', resolve));

const until = (condition: () => boolean) =>
  vi.waitFor(() => expect(condition()).toBe(true), { interval: 10, timeout: 50_000 });

/** Delivery workers of this process. */
function workers(): number[] {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'latin1').split(' ');
  return children.filter((pid) => pid !== '' && commandOf(pid).includes('delivery-worker')).map(Number);
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

/** A front door with a worker for its HTTPS port. */
async function open(limits = {}) {
  const memory = new SharedMemory(quietLog);
  await memory.open();
  const pool = new DeliveryPool({ most: 1, isByLoad: false, memory, log: quietLog, logLevel: 'error' });
  const asked: Exchange[] = [];
  const { port, dataDir } = await openSecure(pair, {
    delivery: pool,
    limits,
    media: (exchange) => {
      asked.push(exchange);
      exchange.answer(200, ['Content-Length', String(piece.length)], piece);
    },
  });
  onTestFinished(async () => {
    await pool.close();
    memory.close();
  });
  const shake = async (options: ConnectionOptions = {}) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options });
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => undefined);
    await once(socket, 'secureConnect');
    return socket;
  };
  const get = async (socket: TLSSocket, header = '') => {
    socket.write(`GET /live/a.ts HTTP/1.1\r\nHost: a\r\n${header}\r\n`);
    let received = Buffer.alloc(0);
    const onData = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
    };
    socket.on('data', onData);
    await until(() => received.length > pieceBytes);
    socket.off('data', onData);
    return received.subarray(received.indexOf('\r\n\r\n') + 4);
  };
  /** Starts the worker as the first viewer does, and comes until it takes connections. */
  const startWorker = async () => {
    pool.addSendingTime(1);
    for (let isThere = false; !isThere; ) {
      const socket = await shake();
      await get(socket);
      isThere = !(asked.at(-1)?.socket instanceof TLSSocket);
      socket.destroy();
    }
    asked.length = 0;
  };
  return { port, dataDir, pool, asked, shake, get, startWorker };
}

describe('connections of the HTTPS port with a delivery worker', () => {
  it('are encrypted there: answers are whole over HTTP/1.1 and HTTP/2, to clients with their own addresses', async () => {
    const { port, asked, shake, get, startWorker } = await open();
    await startWorker();
    const socket = await shake();
    // The second header is left to the HTTP server.
    for (const header of ['', 'Connection: keep-alive, x\r\n', ''])
      expect((await get(socket, header)).equals(piece)).toBe(true);
    const session = await openSession(port);
    expect((await ask(session, { ':path': '/live/a.ts' })).body.equals(piece)).toBe(true);
    expect(asked.map(({ address, socket: own }) => [address, own instanceof TLSSocket])).toEqual(
      Array.from({ length: 4 }, () => ['127.0.0.1', false]),
    );
    const [first] = asked;
    expect([first?.socket.remotePort, first && 'encrypted' in first.socket]).toEqual([socket.localPort, true]);
  });

  it('end when either side ends them, after the last byte', async () => {
    const { asked, shake, startWorker } = await open();
    await startWorker();
    const left = await shake();
    left.write('GET /live/a.ts HTTP/1.1\r\nHost: a\r\n\r\n');
    await until(() => asked.length === 1);
    left.destroy();
    await until(() => asked[0]?.socket.destroyed === true);
    const kicked = await shake();
    kicked.write('GET /live/a.ts HTTP/1.1\r\nHost: a\r\n\r\n');
    await until(() => asked.length === 2);
    asked[1]?.socket.destroy();
    await closed(kicked);
    const last = await shake();
    last.write('GET /live/a.ts HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    const answer = await buffer(last);
    expect(answer.subarray(answer.indexOf('\r\n\r\n') + 4).equals(piece)).toBe(true);
  });

  it('S46: hold little for a client that does not read, which gets everything later', async () => {
    const { asked, shake, startWorker } = await open();
    await startWorker();
    const socket = await shake();
    for (let n = 0; n < 3; n++) socket.write('GET /live/a.ts HTTP/1.1\r\nHost: a\r\n\r\n');
    await until(() => (asked[0]?.socket.writableLength ?? 0) > 0);
    expect(asked[0]?.socket.writableLength).toBeLessThanOrEqual(256 * 1024 + 1024);
    let bytes = 0;
    socket.on('data', ({ length }: Buffer) => {
      bytes += length;
    });
    await until(() => bytes > 3 * pieceBytes);
  });

  it('that begin no handshake end in time, and those that speak no TLS at once', async () => {
    const { port, startWorker } = await open({ headersMs: 300 });
    await startWorker();
    const silent = await dial(port);
    const plain = await dial(port);
    for (const socket of [silent, plain]) socket.on('error', () => undefined);
    plain.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await Promise.all([closed(silent), closed(plain)]);
  });

  it('resume a session wherever they began it, and get a new certificate', async () => {
    const { dataDir, shake, startWorker } = await open();
    const before = await shake({ maxVersion: 'TLSv1.2' });
    const session = before.getSession();
    before.destroy();
    await startWorker();
    const again = await shake({ maxVersion: 'TLSv1.2', ...(session && { session }) });
    expect(again.isSessionReused()).toBe(true);
    const other = await makePair();
    const fingerprint = (await shake()).getPeerCertificate().fingerprint256;
    await installPair(dataDir, other);
    let seen = fingerprint;
    for (let n = 0; n < 200 && seen === fingerprint; n++) seen = (await shake()).getPeerCertificate().fingerprint256;
    expect(seen).not.toBe(fingerprint);
  });

  it('are lost when it is killed, and the next ones are served', async () => {
    const { asked, shake, get, startWorker } = await open();
    await startWorker();
    const socket = await shake();
    await get(socket);
    const [worker = 0] = workers();
    process.kill(worker, 'SIGKILL');
    await closed(socket);
    await until(() => asked[0]?.socket.destroyed === true);
    // A connection that came before the death was noticed was lost with the others.
    const next = await vi.waitFor(() => shake());
    expect((await get(next)).equals(piece)).toBe(true);
  });
});
