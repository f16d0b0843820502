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
  sendBuffer: { level: 1, name: 7 },
  receiveBuffer: { level: 1, name: 8 },
  v6Only: { level: 41, name: 26 },
} as const;
/** As far as the system allows: a keyframe for many viewers leaves at once, and their reports come while we are busy. */
const sendBufferBytes = 4 * 1024 * 1024;
const receiveBufferBytes = 2 * 1024 * 1024;
const error = { noFamily: 97, noAddress: 99 } as const;

export interface UdpSocket {
  /** For sending; it is closed with the socket. */
  readonly descriptor: number;
  /** For receiving. */
  readonly socket: Socket;
}

/** A socket that is sent through by its descriptor and received from as any other of Node's. */
export async function openUdpSocket(bench: Workbench, { host, port }: Listen): Promise<UdpSocket> {
  const descriptor = bindDescriptor(bench, host, port);
  const socket = createSocket(host?.includes('.') ? 'udp4' : 'udp6');
  try {
    const listening = once(socket, 'listening');
    socket.bind({ fd: descriptor });
    await listening;
  } catch (fault) {
    bench.symbols.close(descriptor);
    throw fault;
  }
  return { descriptor, socket };
}

function bindDescriptor(bench: Workbench, host: string | undefined, port: number): number {
  if (host !== undefined) return bind(bench, host, port).descriptor;
  const both = bind(bench, '::', port, [error.noFamily, error.noAddress]);
  // A machine without IPv6.
  return both.descriptor >= 0 ? both.descriptor : bind(bench, '0.0.0.0', port).descriptor;
}

/** Throws when it fails, but for those errors. */
function bind(bench: Workbench, host: string, port: number, forgiven: readonly number[] = []): { descriptor: number } {
  const { symbols, errno } = bench;
  const isSix = host.includes(':');
  const descriptor = symbols.socket(isSix ? family.inet6 : family.inet, datagram + closeOnExec, 0);
  const address = socketAddress(host, port);
  if (descriptor >= 0) {
    if (isSix) setOption(bench, descriptor, option.v6Only, host === '::' ? 0 : 1);
    setOption(bench, descriptor, option.sendBuffer, sendBufferBytes);
    setOption(bench, descriptor, option.receiveBuffer, receiveBufferBytes);
    if (symbols.bind(descriptor, bench.lend(address), address.length) === 0) return { descriptor };
  }
  const code = errno();
  if (descriptor >= 0) symbols.close(descriptor);
  if (forgiven.includes(code)) return { descriptor: -1 };
  throw new Error(`the UDP port cannot be used: error ${code}`);
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
