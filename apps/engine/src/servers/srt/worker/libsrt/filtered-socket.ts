import type koffi from 'koffi';
import type { KoffiFunc } from 'koffi';
import { handshakeFilter } from './handshake-filter.ts';

/** This system has no filter for sockets, or does not give it to us. */
export class NoFilter extends Error {
  override readonly name = 'NoFilter';
}

/** The UDP socket of a port, whose filter can be changed for as long as it is open. */
export interface FilteredSocket {
  readonly descriptor: number;
  /** Drops handshakes of these addresses from now on, and of no others. */
  block(addresses: readonly string[]): void;
}

/** The address is as the system writes it. */
type OpenSocket = (address: Buffer, isV6Only: boolean) => FilteredSocket;

/** Numbers of Linux. */
const linux = { inet6: 10, datagram: 2, closeOnExec: 0x80000, socketLevel: 1, attachFilter: 26, ipv6: 41, v6Only: 26 };
type Int = number;

/** Other systems have nothing like it for a UDP socket. */
const hasFilter = process.platform === 'linux';

/** UDP sockets that take no handshake beyond the limits: the kernel drops them before libsrt could read them. */
export function filteredSockets({ load, struct, sizeof, errno }: typeof koffi): OpenSocket {
  if (!hasFilter) return refuse;
  const system = load(null);
  const has = <T extends (...args: never[]) => unknown>(text: string) => system.func(text) as unknown as KoffiFunc<T>;
  const programType = struct('SocketFilter', { length: 'uint16', steps: 'const void *' });
  const create = has<(family: Int, type: Int, protocol: Int) => Int>('int socket(int family, int type, int protocol)');
  const setOption = has<(fd: Int, level: Int, name: Int, value: Buffer, length: Int) => Int>(
    'int setsockopt(int fd, int level, int name, const void *value, uint32_t length)',
  );
  const attach = has<(fd: Int, level: Int, name: Int, value: { length: Int; steps: Buffer }, length: Int) => Int>(
    'int setsockopt(int fd, int level, int name, const SocketFilter *value, uint32_t length)',
  );
  const bind = has<(fd: Int, address: Buffer, length: Int) => Int>('int bind(int fd, const void *address, uint32_t n)');
  const close = has<(fd: Int) => Int>('int close(int fd)');
  const filter = (fd: number, steps: Buffer) => {
    const program = { length: steps.length / 8, steps };
    return attach(fd, linux.socketLevel, linux.attachFilter, program, sizeof(programType));
  };

  return (address, isV6Only) => {
    const family = address.readUInt16LE(0);
    const fd = create(family, linux.datagram | linux.closeOnExec, 0);
    if (fd < 0) throw new Error(`could not create a UDP socket: error ${errno()}`);
    try {
      if (filter(fd, handshakeFilter()) < 0)
        throw new NoFilter(`the system rejected the packet filter: error ${errno()}`);
      if (family === linux.inet6) setOption(fd, linux.ipv6, linux.v6Only, Buffer.from([isV6Only ? 1 : 0, 0, 0, 0]), 4);
      if (bind(fd, address, address.length) < 0) throw new Error(`the address cannot be used: error ${errno()}`);
      return { descriptor: fd, block: (addresses) => void filter(fd, handshakeFilter(addresses)) };
    } catch (error) {
      close(fd);
      throw error;
    }
  };
}

function refuse(): never {
  throw new NoFilter(`packet filters are not available on ${process.platform}`);
}
