import { randomBytes } from 'node:crypto';
import { writeNack } from '@weir/media/rtp';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { quietLog } from '../../../../quiet-log.fixture.ts';
import { DtlsContext } from './dtls/dtls-context.ts';
import { NativeContext } from './native/native-context.ts';
import { OwnPeer } from './own-peer.fixture.ts';
import { OwnPort } from './own-port.ts';

let bench: NativeContext;
let port: OwnPort;
let context: DtlsContext;
beforeAll(async () => {
  bench = await NativeContext.load();
  port = await OwnPort.open({ host: '127.0.0.1', port: 0 }, quietLog);
  context = new DtlsContext(bench);
});
afterAll(() => {
  port.close();
  context.close();
});

const header = (sequence: number) => {
  const bytes = Buffer.from('806000000000000100000000', 'hex');
  bytes.writeUInt16BE(sequence, 2);
  bytes.writeUInt32BE(77, 8);
  return bytes;
};
const packet = (sequence: number) => Buffer.concat([header(sequence), Buffer.from(`packet ${sequence}`)]);

async function open(options: Parameters<typeof OwnPeer.open>[2] = {}) {
  const got: Buffer[] = [];
  const ended = vi.fn();
  const events = { onPacket: (bytes: Buffer) => void got.push(bytes), onEnd: ended, ...options.events };
  const peer = await OwnPeer.open(port, context, { ...options, events });
  onTestFinished(() => peer.close());
  return { peer, got, ended };
}

describe('a peer of OwnPort', () => {
  it('is followed to another address once it has proved that address', async () => {
    const { peer, got } = await open();
    await peer.connect();
    peer.send(packet(1));
    await vi.waitFor(() => expect(got).toEqual([packet(1)]));
    await peer.move();
    peer.send(packet(2));
    peer.check(true);
    peer.send(packet(3));
    await vi.waitFor(() => expect(got).toEqual([packet(1), packet(3)]));
    await vi.waitFor(() => {
      expect(peer.transport.sendRtp(header(9), Buffer.from('to the new one'))).toBe(true);
      expect(peer.received.length).toBeGreaterThan(0);
    });
  });

  it.each([
    ['both versions', undefined, ['127.0.0.2', '127.0.0.3', '198.51.100.77']],
    ['IPv4', '0.0.0.0', ['127.0.0.2', '127.0.0.3', '::1']],
    ['both versions, but not where nothing is known of its addresses', undefined, []],
  ] as const)('is answered from the address that it sent to, on a port for %s', async (_what, on, addresses) => {
    // The system would answer from the first address of the machine. What is not its own is left out.
    const homes = await OwnPort.open({ host: on, port: 0 }, quietLog, [...addresses]);
    onTestFinished(() => homes.close());
    for (const host of ['127.0.0.2', '127.0.0.3', '127.0.0.1']) {
      const peer = await OwnPeer.open(homes, context, { host });
      onTestFinished(() => peer.close());
      await peer.connect();
      // One message segmented by the kernel, and the last packet separately.
      await vi.waitFor(() => {
        for (const sequence of [1, 2, 3]) peer.transport.sendRtp(header(sequence), Buffer.from('media'));
        peer.transport.sendRtp(header(4), Buffer.from('and more of it'));
        expect(peer.received.length).toBeGreaterThanOrEqual(4);
      });
      expect([...peer.sources]).toEqual([addresses.length > 0 ? host : '127.0.0.1']);
    }
    expect(bench.arena.isIntact).toBe(true);
  });

  it('over IPv4 is served on a port for both versions', async () => {
    const both = await OwnPort.open({ host: undefined, port: 0 }, quietLog);
    const got: Buffer[] = [];
    const peer = await OwnPeer.open(both, context, { events: { onPacket: (bytes) => void got.push(bytes) } });
    await peer.connect();
    peer.send(packet(1));
    await vi.waitFor(() => expect(got).toEqual([packet(1)]));
    peer.transport.sendRtp(header(2), Buffer.from('back'));
    await vi.waitFor(() => expect(peer.received).toHaveLength(1));
    peer.close();
    both.close();
  });

  it('gets nothing at an address that it has not proved', async () => {
    const { peer, got } = await open();
    await peer.connect();
    await peer.move();
    peer.answersChecks = false;
    peer.check(true);
    peer.send(packet(3));
    await vi.waitFor(() => expect(got).toEqual([packet(3)]));
    for (let sequence = 9; sequence < 30; sequence++) peer.transport.sendRtp(header(sequence), Buffer.from('media'));
    peer.answersChecks = true;
    // Repeats its checks as browsers do.
    await vi.waitFor(() => {
      peer.check(true);
      peer.transport.sendRtp(header(30), Buffer.from('media'));
      expect(peer.received.length).toBeGreaterThan(0);
    });
    expect(peer.received.every((bytes) => bytes.readUInt16BE(2) === 30)).toBe(true);
  });

  it('is heard, while packets of a stranger that never connected are dropped', async () => {
    const { peer, got } = await open();
    const stranger = await open();
    await peer.connect();
    stranger.peer.send(packet(1));
    stranger.peer.sendRaw(randomBytes(100));
    peer.send(packet(2));
    await vi.waitFor(() => expect(got).toEqual([packet(2)]));
    expect(stranger.got).toEqual([]);
  });
});

const any = fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array));

describe('arbitrary packets to OwnPort', () => {
  it('S41: as handshake records, garbled or cut, harm no other peer', async () => {
    const healthy = await open();
    await healthy.peer.connect();
    let seed = 7;
    const next = (below: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return (seed >>> 8) % below;
    };
    const garble = (datagram: Buffer) => {
      const out = Buffer.from(datagram.subarray(0, next(4) === 0 ? next(datagram.length) : undefined));
      for (let count = next(4); count > 0 && out.length > 0; count--) out[next(out.length)] = next(256);
      return out;
    };
    for (let round = 0; round < 60; round++) {
      const { peer } = await open({ change: garble });
      peer.check(true);
      for (let count = 0; count < 10; count++)
        peer.sendRaw(Buffer.concat([Buffer.from([20 + next(6), 0xfe, 0xfd]), randomBytes(next(300))]));
      await new Promise(setImmediate);
    }
    healthy.peer.send(packet(1));
    await vi.waitFor(() => expect(healthy.got).toEqual([packet(1)]));
    expect(bench.arena.isIntact).toBe(true);
  });

  it('after a handshake, of any kind and length, are ignored', async () => {
    const { peer, got, ended } = await open();
    await peer.connect();
    await fc.assert(
      fc.asyncProperty(any, fc.constantFrom(0, 1, 22, 23, 63, 64, 128, 144, 191, 200, 255), async (bytes, first) => {
        peer.sendRaw(Buffer.concat([Buffer.from([first]), bytes]));
        if (bytes.length % 16 === 0) await new Promise(setImmediate);
      }),
      { numRuns: 600 },
    );
    peer.sendRaw(randomBytes(60_000));
    await vi.waitFor(() => {
      peer.send(packet(got.length + 10));
      expect(got.length).toBeGreaterThan(0);
    });
    expect(ended).not.toHaveBeenCalled();
    expect(bench.arena.isIntact).toBe(true);
  });
});

it('frequent feedback is read in batches, until a viewer reports a loss or another viewer joins', async () => {
  const busy = await OwnPort.open({ host: undefined, port: 0 }, quietLog, []);
  onTestFinished(() => busy.close());
  const got: Buffer[] = [];
  const events = { onPacket: (bytes: Buffer) => void got.push(bytes) };
  const join = async () => {
    const peer = await OwnPeer.open(busy, context, { role: 'sends', events });
    onTestFinished(() => peer.close());
    await peer.connect();
    return peer;
  };
  const peer = await join();
  const report = Buffer.from('80c9000100000007', 'hex');
  const beBusy = () =>
    vi.waitFor(
      () => {
        for (let count = 0; count < 20; count++) peer.send(report, true);
        expect(busy.isGathering).toBe(true);
      },
      { interval: 50 },
    );
  const hears = async (bytes: Buffer) => {
    got.length = 0;
    peer.send(bytes, true);
    await vi.waitFor(() => expect(got.some((each) => each.equals(bytes))).toBe(true));
  };
  await beBusy();
  await hears(Buffer.from('80c9000100000008', 'hex'));
  // A peer that moves is found at its new address.
  await peer.move();
  peer.check(true);
  await hears(Buffer.from('80c9000100000009', 'hex'));
  await hears(writeNack(1, 77, [5]));
  expect(busy.isGathering).toBe(false);
  await beBusy();
  await join();
  expect(busy.isGathering).toBe(false);
  expect(bench.arena.isIntact).toBe(true);
});

it('twenty peers under load get every packet unchanged, and no other memory is written', async () => {
  const peers = await Promise.all(Array.from({ length: 20 }, () => OwnPeer.open(port, context)));
  onTestFinished(() => {
    for (const peer of peers) peer.close();
  });
  await Promise.all(peers.map((peer) => peer.connect()));
  const payloads = [1100, 1100, 1100, 700, 60, 1180, 1, 300].map((length) => randomBytes(length));
  const rounds = 60;
  for (let round = 0; round < rounds; round++) {
    for (const peer of peers)
      for (const [index, payload] of payloads.entries())
        peer.transport.sendRtp(header(round * payloads.length + index), payload);
    const wanted = (round + 1) * payloads.length;
    await vi.waitFor(() => expect(peers.every(({ received }) => received.length === wanted)).toBe(true), {
      interval: 1,
    });
  }
  const isRight = (bytes: Buffer, at: number) => bytes.subarray(12).equals(payloads[at % payloads.length] ?? bytes);
  expect(peers.every(({ received }) => received.every(isRight))).toBe(true);
  expect(bench.arena.isIntact).toBe(true);
});
