import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { NativeContext } from '../native/native-context.ts';
import { Route } from '../route.ts';
import { SendBatch } from './send-batch.ts';
import { openUdpSocket } from './udp-socket.ts';

let bench: NativeContext;
beforeAll(async () => {
  bench = await NativeContext.load();
});

async function receiver(): Promise<{ socket: Socket; route: Route; got: Buffer[] }> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 * 1024 });
  const got: Buffer[] = [];
  socket.on('message', (bytes) => got.push(bytes));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return { socket, got, route: new Route('127.0.0.1', socket.address().port) };
}

/** The nativeContext with a socket of our own making behind it. */
const benchWith = (sendmmsg: NativeContext['symbols']['sendmmsg'], errno = () => bench.errno()) => ({
  arena: bench.arena,
  errno,
  acquireRoom: () => bench.acquireRoom(),
  giveBack: (room: ReturnType<NativeContext['acquireRoom']>) => bench.giveBack(room),
  symbols: { sendmmsg },
});

/** `refuse`: what the system says to messages that it should cut. */
async function open(refuse?: { errno: number }) {
  const [{ descriptor }] = openUdpSocket(bench, { host: '127.0.0.1', port: 0 }).receivers;
  const calls = { all: 0 };
  const events = { onUncut: vi.fn(), onFault: vi.fn() };
  const sendmmsg = (fd: number, messages: number, count: number, flags: number) => {
    calls.all += 1;
    if (refuse && isCut(messages)) return -1;
    return bench.symbols.sendmmsg(fd, messages, count, flags);
  };
  const batch = new SendBatch(
    benchWith(sendmmsg, () => refuse?.errno ?? bench.errno()),
    descriptor,
    events,
  );
  onTestFinished(() => {
    batch.close();
    bench.symbols.close(descriptor);
  });
  return { batch, calls, events };
}

/** True if the first message at this address has a control part. */
function isCut(messages: number): boolean {
  const base = bench.arena.address(bench.iv.at, 0) - bench.iv.at;
  return bench.arena.bytes.readUInt32LE(messages - base + 40) > 0;
}

const packet = (n: number, length: number) => Buffer.alloc(length, n);

describe('SendBatch', () => {
  it('sends the packets of one turn unchanged, in order, with few calls', async () => {
    const { batch, calls, events } = await open();
    const [first, second] = [await receiver(), await receiver()];
    const sent = [1000, 1000, 1000, 400, 1000, 1200, 20].map((length, n) => packet(n, length));
    for (const bytes of sent) {
      batch.send(first.route, bytes);
      batch.send(second.route, bytes);
    }
    for (const bytes of sent) batch.send(first.route, bytes);
    await vi.waitFor(() => expect([first.got.length, second.got.length]).toEqual([14, 7]));
    expect(first.got).toEqual([...sent, ...sent]);
    expect(second.got).toEqual(sent);
    expect(calls.all).toBe(1);
    expect(events.onFault).not.toHaveBeenCalled();
  });

  it('sends more packets than fit at once', async () => {
    const { batch } = await open();
    const { route, got } = await receiver();
    for (let n = 0; n < 700; n++) batch.send(route, packet(n & 0xff, 1200));
    await vi.waitFor(() => expect(got).toHaveLength(700));
    expect(got.every((bytes, n) => bytes.length === 1200 && bytes[0] === (n & 0xff))).toBe(true);
  });

  it('sends everything also where the system cannot segment messages, and reports that once', async () => {
    const { batch, events } = await open({ errno: 5 });
    const { route, got } = await receiver();
    for (let n = 0; n < 6; n++) batch.send(route, packet(n, 500));
    batch.flush();
    for (let n = 6; n < 9; n++) batch.send(route, packet(n, 500));
    await vi.waitFor(() => expect(got).toHaveLength(9));
    expect(got.map((bytes) => bytes[0])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(events.onUncut).toHaveBeenCalledOnce();
  });

  it('skips a message that cannot be sent', async () => {
    const { batch } = await open();
    const { route, got } = await receiver();
    // Sending to the broadcast address needs an option.
    batch.send(new Route('255.255.255.255', 9), packet(1, 100));
    batch.send(route, packet(2, 100));
    await vi.waitFor(() => expect(got).toHaveLength(1));
    expect(batch.lost).toBe(1);
  });
});

it('waits for a full socket, and loses nothing that it accepted', async () => {
  let isFull = true;
  const [{ descriptor }] = openUdpSocket(bench, { host: '127.0.0.1', port: 0 }).receivers;
  const sendmmsg = (...args: [number, number, number, number]) => (isFull ? -1 : bench.symbols.sendmmsg(...args));
  const events = { onUncut: () => undefined, onFault: () => undefined };
  const batch = new SendBatch(
    benchWith(sendmmsg, () => 11),
    descriptor,
    events,
  );
  const { route, got } = await receiver();
  let taken = 0;
  for (let n = 0; n < 2000; n++) {
    const at = batch.reserve(1000);
    if (at < 0) continue;
    taken += 1;
    batch.commit(route, 1000);
  }
  batch.flush();
  expect(taken).toBeLessThan(600);
  isFull = false;
  await vi.waitFor(() => expect(got).toHaveLength(taken));
  batch.close();
  bench.symbols.close(descriptor);
});
