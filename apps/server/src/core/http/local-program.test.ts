import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Connection } from '@weir/engine-api';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { isLocalProgram } from './local-program.ts';

let server: Server;
let elsewhere: Server;
let children: ChildProcess[] = [];
const ownUid = process.getuid?.() ?? 0;
const portOf = (each: Server) => (each.address() as AddressInfo).port;

beforeAll(async () => {
  // Dual stack, as the front door listens.
  server = createServer().listen(0);
  elsewhere = createServer().listen(0, '127.0.0.1');
  await Promise.all([once(server, 'listening'), once(elsewhere, 'listening')]);
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
});
afterAll(() => {
  server.close();
  elsewhere.close();
});

/** A program that does `first`, then connects to us and waits. */
async function connected(first = 'next()', { host = '127.0.0.1', uid = ownUid } = {}): Promise<Connection> {
  const script = `
    const net = require('node:net'), dgram = require('node:dgram');
    const next = () => net.connect({ port: ${portOf(server)}, host: '${host}' });
    ${first}`;
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  children.push(spawn(process.execPath, ['-e', script], { stdio: 'ignore', uid }));
  const [{ remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 }] = await accepted;
  const plain = (address: string) => address.replace(/^::ffff:/, '');
  return {
    peer: { address: plain(remoteAddress), port: remotePort },
    own: { address: plain(localAddress), port: localPort },
  };
}

it('S01: accepts a program of this server that connects only to it, over IPv4 and IPv6', async () => {
  for (const host of ['127.0.0.1', '::1']) {
    const connection = await connected('next()', { host });
    // While other sockets come and go the kernel's table may leave one out, and who is not seen is not taken.
    await expect.poll(() => isLocalProgram(connection)).toBe(true);
  }
});

it.each([
  ['listens, as a proxy does', "net.createServer().listen(0, '127.0.0.1', next)"],
  ['listens on a UNIX socket', "net.createServer().listen('\\0weir-test-' + process.pid, next)"],
  ['listens on UDP', "dgram.createSocket('udp4').bind(0, '127.0.0.1', next)"],
  ['is connected to somebody else, as a tunnel is', "net.connect(PORT, '127.0.0.1', next)"],
])('S01: refuses a program that %s', async (_name, first) => {
  expect(await isLocalProgram(await connected(first.replace('PORT', String(portOf(elsewhere)))))).toBe(false);
});

it('S01: refuses a program of another user, and one that has exited', async () => {
  // Only root may start a program as somebody else; anybody may be somebody else than the program's owner.
  const isRoot = ownUid === 0;
  const connection = await connected('next()', { uid: isRoot ? 65534 : ownUid });
  expect(await isLocalProgram(connection, isRoot ? 0 : ownUid + 1)).toBe(false);
  const nobody = { address: '127.0.0.1', port: 1 };
  expect(await isLocalProgram({ peer: nobody, own: nobody })).toBe(false);
});
