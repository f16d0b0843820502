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

/** The typed host may be in the own network. */
const user = (host: string, isReader = false) => ({ host, ownNetwork: 'allowed', isReader }) as const;

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
  const { location } = answer.headers;
  return { status: answer.statusCode, body: await text(answer), ...(location !== undefined && { location }) };
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

describe('a program that connects through the outgoing proxy', () => {
  it('reaches the host that was entered, and nothing else of the private network', async () => {
    const typed = await listen((req, res) => res.end(`${req.url} ${req.headers['proxy-authorization'] ?? 'clean'}`));
    const inner = await listen((_req, res) => res.end('secret'));
    const proxy = newProxy();
    const address = await proxy.addressFor(user(typed));
    expect(await ask(address, `http://${typed}/a?b=1`)).toEqual({ status: 200, body: '/a?b=1 clean' });
    for (const target of [inner, `localhost:${inner.split(':')[1]}`, `named.test:${inner.split(':')[1]}`]) {
      expect(await ask(address, `http://${target}/`)).toEqual({ status: 403, body: '' });
      expect(proxy.takeRefusal(typed)).toContain('private address');
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
    expect((await ask(await proxy.addressFor(user('metadata.test')), target)).status).toBe(403);
  });

  it('is refused without the credential of its address, or with the credential of another host', async () => {
    const typed = await listen((_req, res) => res.end('hello'));
    const address = new URL(await newProxy().addressFor(user(typed)));
    expect((await ask(`http://${address.host}`, `http://${typed}/`)).status).toBe(407);
    const other = JSON.stringify(['127.0.0.1:1', 'allowed', false]);
    const forged = `http://${Buffer.from(other).toString('base64url')}:${address.password}@${address.host}`;
    expect((await ask(forged, `http://${typed}/`)).status).toBe(407);
  });

  it('opens tunnels under the same rules', async () => {
    const tcp = createTcpServer((socket) => socket.end('hello'));
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void tcp.close());
    const typed = `127.0.0.1:${(tcp.address() as AddressInfo).port}`;
    const proxy = newProxy();
    expect(await tunnel(await proxy.addressFor(user(typed)), typed)).toBe('HTTP/1.1 200 OK');
    expect(await tunnel(await proxy.addressFor(user('example.com')), typed)).toBe('HTTP/1.1 403 Forbidden');
    expect(await tunnel(await proxy.addressFor(user('example.com')), '169.254.169.254:443')).toBe(
      'HTTP/1.1 403 Forbidden',
    );
  });

  it('gets an error when the target does not answer', async () => {
    const proxy = newProxy();
    expect((await ask(await proxy.addressFor(user('127.0.0.1:1')), 'http://127.0.0.1:1/')).status).toBe(502);
  });
});

describe('S39: a program that reads streams through the proxy', () => {
  const playlist = (lines: readonly string[]) => ['#EXTM3U', '#EXT-X-TARGETDURATION:2', ...lines].join('\n');

  it('gets playlists whose addresses all lead to the proxy', async () => {
    const lines = [
      '#EXT-X-KEY:METHOD=AES-128,URI="httpproxy://169.254.169.254/key"',
      '#EXT-X-MAP:URI="https://cdn.test/map.mp4"',
      '#EXTINF:2,',
      'tcp://127.0.0.1:6379',
      'concat:http://a|http://b',
      'a.ts?x=1',
      '//other.test/b.ts',
      'http://third.test/c.ts',
    ];
    const host = await listen((_req, res) => res.end(playlist(lines)));
    const proxy = newProxy();
    const { body } = await ask(await proxy.addressFor(user(host, true)), `http://${host}/live/x.m3u8`);
    expect(body.split('\n').slice(2)).toEqual([
      '#EXT-X-KEY:METHOD=AES-128,URI="http://weir.invalid/refused"',
      '#EXT-X-MAP:URI="http://weir.invalid/https/cdn.test/map.mp4"',
      '#EXTINF:2,',
      'http://weir.invalid/refused',
      'http://weir.invalid/refused',
      `http://${host}/live/a.ts?x=1`,
      'http://other.test/b.ts',
      'http://third.test/c.ts',
    ]);
    expect(proxy.takeRefusal(host)).toContain('only http and https');
  });

  it('gets other files unchanged, and nothing that is compressed', async () => {
    const host = await listen((req, res) => {
      if (req.url === '/packed') res.writeHead(200, { 'content-encoding': 'gzip' });
      res.write('#EXT');
      setTimeout(() => res.end('ra'), 20);
    });
    const address = await newProxy().addressFor(user(host, true));
    expect(await ask(address, `http://${host}/x.ts`)).toEqual({ status: 200, body: '#EXTra' });
    expect((await ask(address, `http://${host}/packed`)).status).toBe(502);
    expect((await ask(address, 'http://weir.invalid/refused')).status).toBe(403);
    expect((await ask(address, `http://weir.invalid/https/169.254.169.254/`)).status).toBe(403);
  });

  it('gets a playlist that arrives in pieces, but not one without end', async () => {
    const host = await listen((req, res) => {
      const text = req.url === '/long' ? `#EXTM3U\n${'#\n'.repeat(3e6)}` : '#EXTM3U\ntcp://h:1';
      res.write(text.slice(0, 3));
      setTimeout(() => res.end(text.slice(3)), 20);
    });
    const address = await newProxy().addressFor(user(host, true));
    expect((await ask(address, `http://${host}/x`)).body).toBe('#EXTM3U\nhttp://weir.invalid/refused');
    expect((await ask(address, `http://${host}/long`)).status).toBe(502);
  });

  it('is redirected to addresses of the proxy only', async () => {
    const host = await listen((req, res) => res.writeHead(302, { location: String(req.url).slice(1) }).end());
    const address = await newProxy().addressFor(user(host, true));
    const locations: unknown[] = [];
    for (const to of ['rtmp://127.0.0.1/x', 'https://a.test/x', 'httpproxy://127.0.0.1/x']) {
      locations.push((await ask(address, `http://${host}/${to}`)).location);
    }
    expect(locations).toEqual([
      'http://weir.invalid/refused',
      'http://weir.invalid/https/a.test/x',
      'http://weir.invalid/refused',
    ]);
  });
});
