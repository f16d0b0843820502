import { readdir, readFile, readlink } from 'node:fs/promises';
import type { Connection, Endpoint } from '@weir/engine-api';
import { ipv6Groups } from '@weir/streams';

/**
 * True if the kernel shows the peer as a program of the user we run as (or root) that has no other network socket. A
 * request alone proves nothing: a reverse proxy, a tunnel or a port forwarder brings strangers in from a loopback
 * address with any headers. But a forwarder holds another socket, runs as another user, or is invisible to us.
 */
export async function isLocalProgram(connection: Connection, ownUid = process.getuid?.()): Promise<boolean> {
  const tables = await readSocketTables();
  const [peer, own] = [spellings(connection.peer), spellings(connection.own)];
  const theirs = [...tables.tcp.values()].find(({ local, remote }) => peer.includes(local) && own.includes(remote));
  if (theirs === undefined || (theirs.uid !== ownUid && theirs.uid !== 0)) return false;
  const holders = await holdersOf(theirs.inode);
  return holders.length > 0 && holders.every((inodes) => inodes.every((inode) => leadsToUs(inode, own, tables)));
}

function leadsToUs(inode: string, own: readonly string[], { tcp, inner }: SocketTables): boolean {
  return inner.has(inode) || own.includes(tcp.get(inode)?.remote ?? '');
}

/** The sockets of each process that has this one. */
async function holdersOf(inode: string): Promise<string[][]> {
  const holders: string[][] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const inodes = await socketsOf(pid);
    if (inodes.includes(inode)) holders.push(inodes);
  }
  return holders;
}

/** Empty for a process that has ended or is not readable. */
async function socketsOf(pid: string): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  const targets = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')));
  return targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []);
}

interface TcpSocket {
  /** Kernel notation: hexadecimal address, colon, port. */
  readonly local: string;
  readonly remote: string;
  readonly uid: number;
  readonly inode: string;
}

/** Every socket of this machine's network that a program may hold, by inode. */
interface SocketTables {
  readonly tcp: ReadonlyMap<string, TcpSocket>;
  /** Sockets that do not leave this machine: connected UNIX sockets and netlink. */
  readonly inner: ReadonlySet<string>;
}

/** `__SO_ACCEPTCON`: it listens. */
const accepting = 0x10000;

async function readSocketTables(): Promise<SocketTables> {
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
function spellings({ address, port }: Endpoint): string[] {
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
