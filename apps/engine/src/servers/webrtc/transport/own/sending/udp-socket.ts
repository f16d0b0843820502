import type { Listen } from '@weir/plane';
import type { NativeContext } from '../native/native-context.ts';
import { socketAddress } from './socket-address.ts';

/** Constants of Linux. */
const family = { inet: 2, inet6: 10 } as const;
const datagram = 2;
const closeOnExec = 0x80000;
const option = {
  reuseAddress: { level: 1, name: 2 },
  sendBuffer: { level: 1, name: 7 },
  receiveBuffer: { level: 1, name: 8 },
  v6Only: { level: 41, name: 26 },
} as const;
/**
 * Buffer sizes, as far as the system allows: a keyframe for many viewers leaves at once, and their reports arrive while
 * we are busy.
 */
const sendBufferBytes = 4 * 1024 * 1024;
const receiveBufferBytes = 2 * 1024 * 1024;
const addressBytes = 32;
const error: Readonly<Record<'noFamily' | 'noAddress', number>> = { noFamily: 97, noAddress: 99 };

/** Receiving socket. */
export interface Receiver {
  readonly descriptor: number;
  readonly isSix: boolean;
  /** The address that they came to, as the sending socket writes it; unknown for a socket of all addresses. */
  readonly local: string | undefined;
}

export interface UdpSocket {
  readonly port: number;
  /** The first is that of the port, and sent through; the others are of single addresses. All are to be closed. */
  readonly receivers: readonly [Receiver, ...Receiver[]];
}

/**
 * A port that is sent through and received from by its descriptor. One for all addresses has a socket more for each of
 * `addresses`, which the kernel prefers: so it is known where a datagram came to.
 */
export function openUdpSocket(
  bench: NativeContext,
  { host, port }: Listen,
  addresses: readonly string[] = [],
): UdpSocket {
  const { descriptor, bound } = bindPort(bench, host, port);
  const isSix = bound.includes(':');
  const receivers: [Receiver, ...Receiver[]] = [{ descriptor, isSix, local: undefined }];
  try {
    const chosen = port === 0 ? portOf(bench, descriptor) : port;
    const isForAll = bound === '::' || bound === '0.0.0.0';
    const own = isForAll ? addresses.filter((address) => isSix || address.includes('.')) : [];
    if (own.length > 0) bench.setOption(descriptor, option.reuseAddress, 1);
    for (const address of own) {
      const single = bind(bench, address, chosen, true);
      // The address is gone or not ours yet; the first socket receives its datagrams.
      if (single < 0) continue;
      const isSingleSix = address.includes(':');
      const local = isSix && !isSingleSix ? `::ffff:${address}` : address;
      receivers.push({ descriptor: single, isSix: isSingleSix, local });
    }
    return { port: chosen, receivers };
  } catch (fault) {
    for (const receiver of receivers) bench.symbols.close(receiver.descriptor);
    throw fault;
  }
}

/** Port chosen by the system. */
function portOf(bench: NativeContext, descriptor: number): number {
  const { arena, small, number, symbols } = bench;
  arena.view.setUint32(number.at, addressBytes, true);
  const place = arena.address(small.at, addressBytes);
  const code = symbols.getsockname(descriptor, place, arena.address(number.at, number.length));
  if (code !== 0) throw new Error(`the UDP port is not known: error ${bench.errno()}`);
  return arena.view.getUint16(small.at + 2);
}

function bindPort(bench: NativeContext, host: string | undefined, port: number): { descriptor: number; bound: string } {
  // A machine without IPv6 has only the other.
  for (const bound of host === undefined ? ['::', '0.0.0.0'] : [host]) {
    const descriptor = bind(bench, bound, port, false);
    if (descriptor >= 0) return { descriptor, bound };
    const isForgiven = host === undefined && bound === '::' && [error.noFamily, error.noAddress].includes(-descriptor);
    if (!isForgiven) throw new Error(`the UDP port cannot be used: error ${-descriptor}`);
  }
  throw new Error('the UDP port cannot be used');
}

/** Opens a socket. Returns its descriptor, or a negative error number. `sharesPort`: another socket of ours has the port for all addresses. */
function bind(bench: NativeContext, host: string, port: number, sharesPort: boolean): number {
  const { symbols } = bench;
  const isSix = host.includes(':');
  const descriptor = symbols.socket(isSix ? family.inet6 : family.inet, datagram + closeOnExec, 0);
  if (descriptor < 0) return -bench.errno();
  if (isSix) bench.setOption(descriptor, option.v6Only, host === '::' ? 0 : 1);
  if (sharesPort) bench.setOption(descriptor, option.reuseAddress, 1);
  bench.setOption(descriptor, option.sendBuffer, sendBufferBytes);
  bench.setOption(descriptor, option.receiveBuffer, receiveBufferBytes);
  const address = socketAddress(host, port);
  if (symbols.bind(descriptor, bench.lend(address), address.length) === 0) return descriptor;
  const code = bench.errno();
  symbols.close(descriptor);
  return -code;
}
