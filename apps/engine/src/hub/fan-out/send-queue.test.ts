import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { makePair, type Pair } from '../../tls-pair.fixture.ts';
import { PendingBytes } from '../pending-bytes.ts';
import { SendQueue, TlsPieceQueue } from './send-queue.ts';

const megabyte = 1024 * 1024;
/** Size of a piece as the queue cuts it. */
const pieceBytes = 256 * 1024;
let pair: Pair;
beforeAll(async () => {
  pair = await makePair();
});

/** Both ends of a connection by TLS; nobody reads the second. */
async function securePair(): Promise<{ server: TLSSocket; peer: Socket }> {
  const listener = createServer(pair).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const peer = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  const [server] = (await once(listener, 'secureConnection')) as [TLSSocket];
  for (const socket of [server, peer]) socket.on('error', () => undefined);
  onTestFinished(() => {
    server.destroy();
    peer.destroy();
    listener.close();
  });
  return { server, peer };
}

/** Makes bytes that count up, so that the test sees order and gaps. */
function numbered(bytes: number, from: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; at += 4) buffer.writeUInt32BE(from + at, at);
  return buffer;
}

describe('SendQueue of a TLS connection', () => {
  it('S46: encrypts only a part of the data for a viewer that does not read', async () => {
    const { server } = await securePair();
    const queue = new SendQueue(server);
    const buffers = Array.from({ length: 32 }, () => Buffer.alloc(megabyte));
    queue.writeAll(buffers.slice(0, 16));
    for (const buffer of buffers.slice(16)) queue.write(buffer);
    let quiet = 0;
    let last = queue.waiting;
    // Waits until the system takes no more.
    await vi.waitFor(() => {
      quiet = queue.waiting === last ? quiet + 1 : 0;
      last = queue.waiting;
      expect(quiet).toBeGreaterThan(10);
    });
    expect(queue.waiting).toBeGreaterThan(8 * megabyte);
    expect(server.writableLength).toBeGreaterThan(0);
    expect(server.writableLength).toBeLessThanOrEqual(pieceBytes);
  });

  it('delivers everything completely and in order to a viewer that reads', async () => {
    const { server, peer } = await securePair();
    const queue = new SendQueue(server);
    const sizes = [4, 4096, megabyte, 64 * 1024, 64 * 1024 + 4, 8, 3 * megabyte, 16];
    let total = 0;
    for (const [index, size] of sizes.entries()) {
      const buffer = numbered(size, total);
      total += size;
      if (index % 3 === 0) queue.writeAll([Buffer.alloc(0), buffer]);
      else queue.write(buffer);
    }
    let received = Buffer.alloc(0);
    peer.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
    });
    await vi.waitFor(() => expect(received.length).toBe(total));
    expect(received.equals(numbered(total, 0))).toBe(true);
    await vi.waitFor(() => expect(queue.waiting).toBe(0));
    expect(queue.cost).toBe(0);
  });

  it('S46: sends one TLS record at a time when a network has much unread data, and releases the account of a closed connection', async () => {
    const ledger = new PendingBytes({ all: megabyte, ofNetwork: 2 * pieceBytes, small: 16 * 1024 });
    const lines = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const { server } = await securePair();
        const line = new TlsPieceQueue(server, undefined, ledger);
        line.writeAll(Array.from({ length: 16 }, () => Buffer.alloc(megabyte)));
        return { server, line };
      }),
    );
    const held = () => lines.map(({ server }) => server.writableLength);
    await vi.waitFor(() => expect(held().every((bytes) => bytes > 0)).toBe(true));
    await vi.waitFor(() => expect(ledger.total).toBeGreaterThan(pieceBytes));
    expect(ledger.total).toBeLessThanOrEqual(2 * pieceBytes + 2 * 16 * 1024);
    for (const { server } of lines) server.destroy();
    await vi.waitFor(() => expect(ledger.total).toBe(0));
  });

  it('encrypts at once for a connection that has read much, also for a later answer, while others wait for a turn', async () => {
    const [reading, late] = [await securePair(), await securePair()];
    const others = await Promise.all(Array.from({ length: 17 }, securePair));
    reading.peer.resume();
    const first = Promise.withResolvers<void>();
    new TlsPieceQueue(reading.server, first.resolve).writeAll([Buffer.alloc(13 * megabyte)]);
    await first.promise;
    // Uses up the turn.
    for (const { server } of others) new TlsPieceQueue(server).writeAll([Buffer.alloc(pieceBytes)]);
    new TlsPieceQueue(late.server).writeAll([Buffer.alloc(megabyte)]);
    new TlsPieceQueue(reading.server).writeAll([Buffer.alloc(megabyte)]);
    expect(late.server.bytesWritten).toBe(0);
    expect(reading.server.bytesWritten).toBe(13 * megabyte + pieceBytes);
  });
});
