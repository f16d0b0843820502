import { randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import fc from 'fast-check';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { NativeContext } from '../native/native-context.ts';
import { openUdpSocket } from '../sending/udp-socket.ts';
import { DatagramReader, type OnRead } from './datagram-reader.ts';

let bench: NativeContext;
beforeAll(async () => {
  bench = await NativeContext.load();
});

type Read = { bytes: Buffer; address: string; port: number; waitedMs: number };

function open(host: string) {
  const { port, receivers } = openUdpSocket(bench, { host, port: 0 });
  const [{ descriptor }] = receivers;
  onTestFinished(() => void bench.symbols.close(descriptor));
  const reader = new DatagramReader(bench);
  const got: Read[] = [];
  const onRead: OnRead = (bytes, { address, port: from }, waitedMs) =>
    got.push({ bytes, address, port: from, waitedMs });
  const drain = () => reader.drain(descriptor, onRead, () => false);
  return { port, descriptor, reader, got, onRead, drain };
}

async function sender(type: 'udp4' | 'udp6' = 'udp4'): Promise<Socket> {
  const socket = createSocket(type);
  socket.bind(0, type === 'udp4' ? '127.0.0.1' : '::1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return socket;
}

/** Resolves when the system has it: on loopback it then waits at the receiver. */
const send = (socket: Socket, bytes: Buffer, port: number, host: string) =>
  new Promise((resolve) => socket.send(bytes, port, host, resolve));

it.each([
  ['127.0.0.1', 'udp4', '127.0.0.1', '127.0.0.1'],
  ['::1', 'udp6', '::1', '::1'],
  ['::', 'udp4', '127.0.0.1', '::ffff:127.0.0.1'],
] as const)(
  'on %s reads datagrams of %s, with the sender address that Node would report',
  async (host, type, to, from) => {
    const { port, got, drain } = open(host);
    expect(drain()).toBe(true);
    const socket = await sender(type);
    const sent = [0, 1, 300, 2048].map((length) => randomBytes(length));
    for (const bytes of sent) await send(socket, bytes, port, to);
    expect(drain()).toBe(true);
    expect(got.map(({ bytes }) => bytes)).toEqual(sent);
    expect(got.every(({ address, port: own }) => address === from && own === socket.address().port)).toBe(true);
    expect(drain()).toBe(true);
    expect(got).toHaveLength(sent.length);
  },
);

it('drops a datagram that is too long, and has its whole buffer again afterwards', async () => {
  const { port, got, drain } = open('127.0.0.1');
  const socket = await sender();
  for (const length of [2049, 60_000, 1200, 2049, 7]) await send(socket, randomBytes(length), port, '127.0.0.1');
  drain();
  for (const length of [2048, 5]) await send(socket, randomBytes(length), port, '127.0.0.1');
  drain();
  expect(got.map(({ bytes }) => bytes.length)).toEqual([1200, 7, 2048, 5]);
  expect(bench.arena.isIntact).toBe(true);
});

it('reads many datagrams in few calls, and reports whether there may be more and how long they waited', async () => {
  const { port, descriptor, got, drain } = open('127.0.0.1');
  const socket = await sender();
  bench.setOption(descriptor, { level: 1, name: 35 }, 1);
  await vi.waitFor(async () => {
    // The system tells times from a moment after it was asked to.
    got.length = 0;
    await send(socket, Buffer.from('early'), port, '127.0.0.1');
    await new Promise((resolve) => setTimeout(resolve, 30));
    drain();
    expect(got[0]?.waitedMs).toBeGreaterThan(20);
  });
  expect(got[0]?.waitedMs).toBeLessThanOrEqual(1000);
  got.length = 0;
  for (let n = 0; n < 300; n++) await send(socket, Buffer.from([n & 0xff, n >> 8]), port, '127.0.0.1');
  expect(drain()).toBe(false);
  expect(got).toHaveLength(256);
  expect(drain()).toBe(true);
  expect(got.map(({ bytes }) => bytes.readUInt16LE(0))).toEqual(Array.from({ length: 300 }, (_, n) => n));
});

it('stops on request, continues after an interruption, and throws other system errors', async () => {
  const { port, descriptor, got, onRead } = open('127.0.0.1');
  const socket = await sender();
  let errno = 0;
  let left = 0;
  const recvmmsg: NativeContext['symbols']['recvmmsg'] = (...args) =>
    left-- > 0 ? -1 : bench.symbols.recvmmsg(...args);
  const reader = new DatagramReader({
    arena: bench.arena,
    receive: bench.receive,
    errno: () => errno || bench.errno(),
    symbols: { recvmmsg },
  });
  for (let n = 0; n < 5; n++) await send(socket, Buffer.from([n]), port, '127.0.0.1');
  errno = 105;
  left = 1;
  expect(() => reader.drain(descriptor, onRead, () => false)).toThrow('error 105');
  errno = 4;
  left = 3;
  expect(reader.drain(descriptor, onRead, () => got.length >= 2)).toBe(true);
  expect(got).toHaveLength(2);
  errno = 0;
  expect(() => reader.drain(-1, onRead, () => false)).toThrow('error 9');
});

it('returns datagrams of any content unchanged, and writes no other memory', async () => {
  const { port, got, drain } = open('127.0.0.1');
  const socket = await sender();
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 2048 }), async (octets) => {
      got.length = 0;
      await send(socket, Buffer.from(octets), port, '127.0.0.1');
      drain();
      expect(got.map(({ bytes }) => bytes)).toEqual([Buffer.from(octets)]);
    }),
    { numRuns: 200 },
  );
  expect(bench.arena.isIntact).toBe(true);
});
