import { readFile } from 'node:fs/promises';
import type { Endpoint } from '@weir/engine-api';
import { ipv6Groups } from '@weir/streams';

interface TcpSocket {
  /** Kernel notation: hexadecimal address, colon, port. */
  readonly local: string;
  readonly remote: string;
  readonly uid: number;
  readonly inode: string;
}

/** Every socket of this machine's network that a program may hold, by inode. */
export interface SocketTables {
  readonly tcp: ReadonlyMap<string, TcpSocket>;
  /** Sockets that do not leave this machine: connected UNIX sockets and netlink. */
  readonly inner: ReadonlySet<string>;
}

/** `__SO_ACCEPTCON`: it listens. */
const accepting = 0x10000;

export async function readSocketTables(): Promise<SocketTables> {
  const [tcp4, tcp6, unix, netlink] = await Promise.all(['tcp', 'tcp6', 'unix', 'netlink'].map(rowsOf));
  const tcp = [...(tcp4 ?? []), ...(tcp6 ?? [])].map(
    ([, local = '', remote = '', , , , , uid = '', , inode = '']): TcpSocket => ({
      local,
      remote,
      uid: Number(uid),
      inode,
    }),
  );
  const connected = (unix ?? []).filter(([, , , flags = '']) => (Number.parseInt(flags, 16) & accepting) === 0);
  return {
    tcp: new Map(tcp.map((socket) => [socket.inode, socket])),
    inner: new Set([...connected.map((row) => row[6] ?? ''), ...(netlink ?? []).map((row) => row.at(-1) ?? '')]),
  };
}

/** Spellings of an endpoint in the tables; IPv4 may appear as IPv4-mapped IPv6. */
export function spellings({ address, port }: Endpoint): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  if (!address.includes(':')) {
    const word = wordOf(address.split('.').map(Number));
    return [word + suffix, `0000000000000000FFFF0000${word}${suffix}`];
  }
  const bytes = (ipv6Groups(address) ?? []).flatMap((group) => [group >> 8, group & 255]);
  return [[0, 4, 8, 12].map((at) => wordOf(bytes.slice(at, at + 4))).join('') + suffix];
}

async function rowsOf(table: string): Promise<string[][]> {
  // A kernel without IPv6 has no table of it.
  const text = await readFile(`/proc/net/${table}`, 'utf8').catch(() => '');
  const lines = text.split('\n').slice(1);
  return lines.filter((line) => line !== '').map((line) => line.trim().split(/\s+/));
}

/** Four bytes as one number of a machine whose lowest byte comes first; on another, no caller is found to be local. */
function wordOf(bytes: readonly number[]): string {
  return bytes
    .toReversed()
    .map((byte) => byte.toString(16).toUpperCase().padStart(2, '0'))
    .join('');
}
