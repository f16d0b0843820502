import { createServer, type RequestListener, request } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OutgoingProxy } from './outgoing-proxy.ts';

async function listen(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function newProxy() {
  const proxy = new OutgoingProxy(async (name) => [
    { address: name === 'metadata.test' ? '169.254.169.254' : '127.0.0.1', family: 4 },
  ]);
  onTestFinished(() => proxy.close());
  return proxy;
}

/** A request as programs send it through a proxy. */
async function ask(proxy: string, target: string, method = 'GET') {
  const { hostname, port, username, password } = new URL(proxy);
  const credential = Buffer.from(`${username}:${password}`).toString('base64');
  const headers = username === '' ? {} : { 'proxy-authorization': `Basic ${credential}` };
  const outgoing = request({ hostname, port, path: target, method, headers, agent: false });
  outgoing.end();
  const answer = await new Promise<import('node:http').IncomingMessage>((resolve, reject) =>
    outgoing.once('response', resolve).once('error', reject),
  );
  return { status: answer.statusCode, body: await text(answer) };
}

/** A tunnel as programs ask for one; resolves with the first line of the answer. */
async function tunnel(proxy: string, target: string): Promise<string> {
  const { hostname, port, username, password } = new URL(proxy);
  const credential = Buffer.from(`${username}:${password}`).toString('base64');
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\nProxy-Authorization: Basic ${credential}\r\n\r\n`);
  const chunk = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
  return chunk.toString().split('\r\n')[0] ?? '';
}

describe('a program that asks through the proxy', () => {
  it('reaches the host that was typed, and nothing else of the own network', async () => {
    const typed = await listen((req, res) => res.end(`${req.url} ${req.headers['proxy-authorization'] ?? 'clean'}`));
    const inner = await listen((_req, res) => res.end('secret'));
    const proxy = newProxy();
    const address = await proxy.addressFor(typed);
    expect(await ask(address, `http://${typed}/a?b=1`)).toEqual({ status: 200, body: '/a?b=1 clean' });
    for (const target of [inner, `localhost:${inner.split(':')[1]}`, `named.test:${inner.split(':')[1]}`]) {
      expect(await ask(address, `http://${target}/`)).toEqual({ status: 403, body: '' });
      expect(proxy.takeRefusal(typed)).toContain('private network');
    }
    expect(proxy.takeRefusal(typed)).toBeUndefined();
  });

  it.each([
    'http://169.254.169.254/',
    'http://metadata.test/',
    'http://0.0.0.0/',
    'file:///etc/passwd',
    'ftp://a/',
    '/',
  ])('never reaches %s', async (target) => {
    const proxy = newProxy();
    expect((await ask(await proxy.addressFor('metadata.test'), target)).status).toBe(403);
  });

  it('is refused without the credential of its address, or with one for another host', async () => {
    const typed = await listen((_req, res) => res.end('hello'));
    const address = new URL(await newProxy().addressFor(typed));
    expect((await ask(`http://${address.host}`, `http://${typed}/`)).status).toBe(407);
    const forged = `http://${Buffer.from('127.0.0.1:1').toString('base64url')}:${address.password}@${address.host}`;
    expect((await ask(forged, `http://${typed}/`)).status).toBe(407);
  });

  it('gets tunnels by the same rules', async () => {
    const tcp = createTcpServer((socket) => socket.end('hello'));
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void tcp.close());
    const typed = `127.0.0.1:${(tcp.address() as AddressInfo).port}`;
    const proxy = newProxy();
    expect(await tunnel(await proxy.addressFor(typed), typed)).toBe('HTTP/1.1 200 OK');
    expect(await tunnel(await proxy.addressFor('example.com'), typed)).toBe('HTTP/1.1 403 Forbidden');
    expect(await tunnel(await proxy.addressFor('example.com'), '169.254.169.254:443')).toBe('HTTP/1.1 403 Forbidden');
  });

  it('is told when nobody answers', async () => {
    const proxy = newProxy();
    expect((await ask(await proxy.addressFor('127.0.0.1:1'), 'http://127.0.0.1:1/')).status).toBe(502);
  });
});
