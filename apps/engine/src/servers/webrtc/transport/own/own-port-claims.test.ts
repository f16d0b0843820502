import { createSocket } from 'node:dgram';
import { once } from 'node:events';
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

const wait = { interval: 20 };
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

async function openSocket() {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return socket;
}

/** A datagram with a forged source address: what leaves through the victim's own socket arrives the same. */
const forge = (victim: OwnPeer, attacker: OwnPeer, isNominated = true) =>
  victim.sendRaw(attacker.checkBytes(isNominated));

describe('S44: a connectivity check in the name of another peer', () => {
  it('does not interrupt that peer once it is connected, however often it is sent', async () => {
    const victim = await open();
    const attacker = await open({ role: 'sends' });
    await victim.peer.connect();
    await attacker.peer.connect();
    for (let sequence = 1; sequence < 20; sequence++) {
      forge(victim.peer, attacker.peer);
      victim.peer.send(packet(sequence));
      await vi.waitFor(() => expect(victim.got.at(-1)).toEqual(packet(sequence)), wait);
    }
    // And the other way: what the victim is sent goes on, and nothing of the attacker's stream is sent there.
    attacker.peer.transport.sendRtp(header(1), Buffer.from('for the attacker'));
    victim.peer.transport.sendRtp(header(2), Buffer.from('for the victim'));
    await vi.waitFor(() => {
      expect(victim.peer.received).toHaveLength(1);
      expect(attacker.peer.received).toHaveLength(1);
    }, wait);
  });

  it('does not keep that peer from connecting, sent before it comes and all the while', async () => {
    const victim = await open();
    const attackers = await Promise.all(Array.from({ length: 6 }, () => open({ role: 'sends' })));
    const attack = () => {
      for (const { peer } of attackers) forge(victim.peer, peer);
    };
    attack();
    const attacking = setInterval(attack, 5);
    onTestFinished(() => clearInterval(attacking));
    const checking = setInterval(() => victim.peer.check(true), 50);
    onTestFinished(() => clearInterval(checking));
    await victim.peer.connect();
    victim.peer.send(packet(1));
    await vi.waitFor(() => expect(victim.got).toEqual([packet(1)]), wait);
    expect(victim.ended).not.toHaveBeenCalled();
  });

  it('does not use up the handshakes of its network', async () => {
    const attackers = await Promise.all(Array.from({ length: 90 }, () => open({ role: 'sends' })));
    for (const { peer } of attackers) {
      peer.answersChecks = false;
      peer.check(true);
    }
    const victim = await open();
    const checking = setInterval(() => victim.peer.check(true), 50);
    onTestFinished(() => clearInterval(checking));
    await victim.peer.connect();
    victim.peer.send(packet(1));
    await vi.waitFor(() => expect(victim.got).toEqual([packet(1)]), wait);
  });

  it('brings its sender no media when DTLS is completed in that name', async () => {
    const bystander = await openSocket();
    const heard: Buffer[] = [];
    bystander.on('message', (bytes) => heard.push(bytes));
    let flights = 0;
    const { peer } = await open({
      role: 'sends',
      change: (datagram) => {
        flights += 1;
        if (flights > 1) bystander.send(datagram, port.port, '127.0.0.1');
        return flights > 1 ? Buffer.alloc(1) : datagram;
      },
    });
    peer.check(true);
    bystander.send(peer.checkBytes(false), port.port, '127.0.0.1');
    await vi.waitFor(() => expect(heard.length).toBeGreaterThan(0), wait);
    await peer.connect();
    await vi.waitFor(() => {
      peer.check(true);
      peer.transport.sendRtp(header(peer.received.length + 1), Buffer.from('media'));
      expect(peer.received.length).toBeGreaterThan(3);
    }, wait);
    expect(heard.filter(([first = 0]) => first >= 128)).toEqual([]);
  });
});

it('delivers to several sessions behind one address only their own packets', async () => {
  const first = await open();
  await first.peer.connect();
  const second = await open({ beside: first.peer });
  await vi.waitFor(() => {
    second.peer.check(true);
    expect(second.peer.isOpen).toBe(true);
  }, wait);
  const third = await open({ beside: first.peer });
  await vi.waitFor(() => {
    third.peer.check(true);
    expect(third.peer.isOpen).toBe(true);
  }, wait);
  for (const [index, { peer, got }] of [first, second, third].entries()) {
    peer.send(packet(index + 1));
    await vi.waitFor(() => expect(got).toEqual([packet(index + 1)]), wait);
    peer.transport.sendRtp(header(index + 10), Buffer.from('back'));
    await vi.waitFor(() => expect(peer.received.at(-1)?.readUInt16BE(2)).toBe(index + 10), wait);
  }
  // The first one leaves; the others stay where they are.
  first.peer.transport.close();
  second.peer.send(packet(20));
  await vi.waitFor(() => expect(second.got.at(-1)).toEqual(packet(20)), wait);
});

it('keeps the path in use of a session with many paths, and a limited number of others', async () => {
  const { peer, got } = await open();
  await peer.connect();
  const { routes } = port.held;
  for (let count = 0; count < 20; count++) {
    const other = await openSocket();
    const answered = once(other, 'message');
    other.send(peer.checkBytes(false), port.port, '127.0.0.1');
    await answered;
  }
  expect(port.held.routes - routes).toBeLessThan(8);
  peer.send(packet(1));
  await vi.waitFor(() => expect(got).toEqual([packet(1)]), wait);
  // And it can move as often as it likes.
  for (let sequence = 2; sequence < 15; sequence++) {
    await peer.move();
    peer.check(true);
    peer.send(packet(sequence));
    await vi.waitFor(() => expect(got.at(-1)).toEqual(packet(sequence)), wait);
  }
  expect(port.held.routes - routes).toBeLessThan(8);
});
