import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { NativeContext } from '../native/native-context.ts';
import { openUdpSocket } from '../sending/udp-socket.ts';
import { DatagramReceiver } from './datagram-receiver.ts';

let bench: NativeContext;
beforeAll(async () => {
  bench = await NativeContext.load();
});

/** `symbols`: functions of the system that do something else. */
async function open(symbols: Partial<Pick<NativeContext['symbols'], 'recvmmsg' | 'fcntl'>> = {}, errno?: () => number) {
  const { port, receivers } = openUdpSocket(bench, { host: '127.0.0.1', port: 0 });
  const got: number[] = [];
  const waited: number[] = [];
  const faults: unknown[] = [];
  const hooks: { onDatagram: () => void } = { onDatagram: () => undefined };
  const own = {
    arena: bench.arena,
    number: bench.number,
    receive: bench.receive,
    errno: errno ?? (() => bench.errno()),
    setOption: bench.setOption.bind(bench),
    symbols: { ...bench.symbols, ...symbols },
  };
  const incoming = new DatagramReceiver(own, receivers, {
    onDatagram: (bytes, { address }, _local, waitedMs) => {
      expect(address).toBe('127.0.0.1');
      got.push(bytes.readUInt16BE(0));
      waited.push(waitedMs);
      hooks.onDatagram();
    },
    onFault: (fault) => faults.push(fault),
  });
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => {
    incoming.close();
    socket.close();
  });
  let sent = 0;
  const send = async (count: number) => {
    for (let n = 0; n < count; n++) {
      const bytes = Buffer.alloc(2);
      bytes.writeUInt16BE(sent++);
      await new Promise((resolve) => socket.send(bytes, port, '127.0.0.1', resolve));
    }
  };
  /** All that was sent was told, once and in order. */
  const allCame = () => vi.waitFor(() => expect(got).toEqual(Array.from({ length: sent }, (_, n) => n)));
  const beBusy = async (beforeLast = () => undefined as unknown) => {
    for (let look = 0; look < 3; look++) {
      await send(60);
      await allCame();
      if (look === 2) beforeLast();
      incoming.adapt(true);
    }
  };
  return { incoming, got, waited, faults, hooks, send, allCame, beBusy };
}

describe('DatagramReceiver', () => {
  it('reads datagrams one by one while they are few, and in batches while they are many and not urgent', async () => {
    const { incoming, send, allCame, beBusy, faults } = await open();
    await send(10);
    await allCame();
    for (let second = 0; second < 5; second++) incoming.adapt(true);
    expect(incoming.isGathering).toBe(false);
    await beBusy();
    expect(incoming.isGathering).toBe(true);
    // By itself, without anything that is sent.
    await send(40);
    await allCame();
    incoming.adapt(true);
    expect(incoming.isGathering).toBe(true);
    await send(29);
    await allCame();
    incoming.adapt(true);
    expect(incoming.isGathering).toBe(false);
    await send(5);
    await allCame();
    expect(faults).toEqual([]);
  });

  it('tells how long datagrams waited for a process that was not let run, also of those that are read one by one', async () => {
    const { waited, send, allCame } = await open();
    // The system tells times from the first request on.
    await send(1);
    await allCame();
    const sent = send(1);
    // Node sends some ticks later; sockets are not read before the ticks are over.
    for (let tick = 0; tick < 10; tick++) await new Promise<void>((resolve) => process.nextTick(resolve));
    const untilMs = performance.now() + 40;
    while (performance.now() < untilMs);
    await sent;
    await allCame();
    expect(waited[1]).toBeGreaterThan(35);
    expect(waited[1]).toBeLessThanOrEqual(1000);
  });

  it('reads at once when something was sent', async () => {
    const { incoming, got, send, beBusy } = await open();
    // No clock wakes anybody here.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1000);
    onTestFinished(() => void clock.mockRestore());
    await beBusy(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
    onTestFinished(() => void vi.useRealTimers());
    const before = got.length;
    await send(3);
    incoming.onTurnEnd();
    expect(got.length).toBe(before + 3);
    await send(1);
    clock.mockReturnValue(1003);
    incoming.onTurnEnd();
    expect(got.length).toBe(before + 3);
    clock.mockReturnValue(1004);
    incoming.onTurnEnd();
    expect(got.length).toBe(before + 4);
  });

  it('reads one by one as soon as somebody needs low latency, and for some time after', async () => {
    const { incoming, send, allCame, beBusy } = await open();
    await beBusy();
    await send(2);
    incoming.hurry();
    expect(incoming.isGathering).toBe(false);
    await allCame();
    for (let look = 0; look < 2; look++) {
      await send(100);
      await allCame();
      incoming.adapt(true);
      expect(incoming.isGathering).toBe(false);
    }
    await beBusy();
    expect(incoming.isGathering).toBe(true);
    incoming.adapt(false);
    expect(incoming.isGathering).toBe(false);
  });

  it('delivers nothing once the port is closed, also within a batch, and leaves no descriptor', async () => {
    const before = readdirSync('/proc/self/fd').length;
    const { incoming, got, hooks, send, beBusy } = await open();
    await beBusy();
    hooks.onDatagram = () => incoming.close();
    const told = got.length;
    await send(20);
    await vi.waitFor(() => expect(got.length).toBeGreaterThan(told));
    incoming.adapt(true);
    incoming.onTurnEnd();
    incoming.hurry();
    expect(got.length).toBe(told + 1);
    // The one that sends is there until the test ends.
    await vi.waitFor(() => expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(before + 1));
  });
});

it('falls back to single reads for good where the system cannot batch, and reports it once', async () => {
  const state = { isBroken: true };
  const recvmmsg: NativeContext['symbols']['recvmmsg'] = (...args) =>
    state.isBroken ? -1 : bench.symbols.recvmmsg(...args);
  const { incoming, faults, send, allCame, beBusy } = await open({ recvmmsg }, () => 38);
  await beBusy();
  expect(incoming.isGathering).toBe(true);
  await send(5);
  await allCame();
  expect(incoming.isGathering).toBe(false);
  state.isBroken = false;
  await beBusy();
  expect(incoming.isGathering).toBe(false);
  expect(faults).toHaveLength(1);
});

it('reads everything without descriptors for sockets of Node, reports it once, and tries them again each second', async () => {
  const state = { isFull: true };
  const fcntl: NativeContext['symbols']['fcntl'] = (...args) => (state.isFull ? -1 : bench.symbols.fcntl(...args));
  const { incoming, faults, send, allCame } = await open({ fcntl });
  await send(70);
  await allCame();
  incoming.adapt(true);
  expect(faults).toHaveLength(1);
  expect(incoming.isGathering).toBe(true);
  state.isFull = false;
  incoming.hurry();
  expect(incoming.isGathering).toBe(true);
  incoming.adapt(true);
  expect(incoming.isGathering).toBe(false);
  await send(70);
  await allCame();
  expect(bench.arena.isIntact).toBe(true);
});
