import { readdir, readlink } from 'node:fs/promises';
import type { Connection } from '@weir/engine-api';
import { readSocketTables, type SocketTables, spellings } from './socket-tables.ts';

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
