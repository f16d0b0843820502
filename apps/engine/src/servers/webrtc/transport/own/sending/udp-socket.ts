import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Listen } from '@weir/plane';
import type { Workbench } from '../native/workbench.ts';
import { socketAddress } from './socket-address.ts';

/** Numbers of Linux. */
const family = { inet: 2, inet6: 10 } as const;
const datagram = 2;
const closeOnExec = 0x80000;
const option = {
  reuseAddress: { level: 1, name: 2 },
  sendBuffer: { level: 1, name: 7 },
  receiveBuffer: { level: 1, name: 8 },
  v6Only: { level: 41, name: 26 },
} as const;
/** As far as the system allows: a keyframe for many viewers leaves at once, and their reports come while we are busy. */
const sendBufferBytes = 4 * 1024 * 1024;
const receiveBufferBytes = 2 * 1024 * 1024;
const error: Readonly<Record<'noFamily' | 'noAddress', number>> = { noFamily: 97, noAddress: 99 };

/** Where datagrams come in. */
export interface Receiver {
  readonly socket: Socket;
  /** The address that they came to, as the sending socket writes it; unknown for a socket of all addresses. */
  readonly local: string | undefined;
}

export interface UdpSocket {
  /** For sending; it is closed with the first socket. */
  readonly descriptor: number;
  /** The first is that of the port; the others are of single addresses. */
  readonly receivers: readonly [Receiver, ...Receiver[]];
}

/**
 * A port that is sent through by its descriptor and received from as by any other socket of Node's. One for all addresses has
 * a socket more for each of `addresses`, which the kernel prefers: so it is known where a datagram came to.
 */
export async function openUdpSocket(
  bench: Workbench,
  { host, port }: Listen,
  addresses: readonly string[] = [],
): Promise<UdpSocket> {
  const { descriptor, bound } = bindPort(bench, host, port);
  const isSix = bound.includes(':');
  const opened: Receiver[] = [];
  try {
    const first = { socket: await receiveFrom(bench, descriptor, isSix), local: undefined };
    const isForAll = bound === '::' || bound === '0.0.0.0';
    const own = isForAll ? addresses.filter((address) => isSix || address.includes('.')) : [];
    if (own.length > 0) setOption(bench, descriptor, option.reuseAddress, 1);
    const { port: chosen } = first.socket.address();
    for (const address of own) {
      const single = bind(bench, address, chosen, true);
      // One that is gone meanwhile, or not yet ours: then the first socket has what comes there.
      if (single < 0) continue;
      const isSingleSix = address.includes(':');
      const local = isSix && !isSingleSix ? `::ffff:${address}` : address;
      opened.push({ socket: await receiveFrom(bench, single, isSingleSix), local });
    }
    return { descriptor, receivers: [first, ...opened] };
  } catch (fault) {
    for (const { socket } of opened) socket.close();
    throw fault;
  }
}

/** Closes the descriptor when it cannot be had. */
async function receiveFrom(bench: Workbench, descriptor: number, isSix: boolean): Promise<Socket> {
  const socket = createSocket(isSix ? 'udp6' : 'udp4');
  try {
    const listening = once(socket, 'listening');
    socket.bind({ fd: descriptor });
    await listening;
    return socket;
  } catch (fault) {
    bench.symbols.close(descriptor);
    throw fault;
  }
}

function bindPort(bench: Workbench, host: string | undefined, port: number): { descriptor: number; bound: string } {
  // A machine without IPv6 has only the other.
  for (const bound of host === undefined ? ['::', '0.0.0.0'] : [host]) {
    const descriptor = bind(bench, bound, port, false);
    if (descriptor >= 0) return { descriptor, bound };
    const isForgiven = host === undefined && bound === '::' && [error.noFamily, error.noAddress].includes(-descriptor);
    if (!isForgiven) throw new Error(`the UDP port cannot be used: error ${-descriptor}`);
  }
  throw new Error('the UDP port cannot be used');
}

/** A descriptor, or the error below zero. With `sharesPort` another socket of ours has the port already, for all addresses. */
function bind(bench: Workbench, host: string, port: number, sharesPort: boolean): number {
  const { symbols } = bench;
  const isSix = host.includes(':');
  const descriptor = symbols.socket(isSix ? family.inet6 : family.inet, datagram + closeOnExec, 0);
  if (descriptor < 0) return -bench.errno();
  if (isSix) setOption(bench, descriptor, option.v6Only, host === '::' ? 0 : 1);
  if (sharesPort) setOption(bench, descriptor, option.reuseAddress, 1);
  setOption(bench, descriptor, option.sendBuffer, sendBufferBytes);
  setOption(bench, descriptor, option.receiveBuffer, receiveBufferBytes);
  const address = socketAddress(host, port);
  if (symbols.bind(descriptor, bench.lend(address), address.length) === 0) return descriptor;
  const code = bench.errno();
  symbols.close(descriptor);
  return -code;
}

/** What is refused stays as it is. */
function setOption(
  bench: Workbench,
  descriptor: number,
  { level, name }: { level: number; name: number },
  value: number,
) {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  bench.symbols.setsockopt(descriptor, level, name, bench.lend(bytes), bytes.length);
}
