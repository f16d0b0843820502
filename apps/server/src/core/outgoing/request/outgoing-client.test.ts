import type { RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { ask, client, listen, policy } from './outgoing-client.fixture.ts';
import { OutgoingClient } from './outgoing-client.ts';

describe('the outgoing client', () => {
  it.each([
    // Addresses from strangers and redirects reach nothing internal.
    ['never', 'http://127.0.0.1:{port}/', 'own-network'],
    ['never', 'http://localhost:{port}/', 'own-network'],
    ['never', 'http://2130706433:{port}/', 'own-network'],
    ['never', 'http://0177.0.0.1:{port}/', 'own-network'],
    ['never', 'http://0x7f.1:{port}/', 'own-network'],
    ['never', 'http://127.1:{port}/', 'own-network'],
    ['never', 'http://[::1]:{port}/', 'own-network'],
    ['never', 'http://[::ffff:127.0.0.1]:{port}/', 'own-network'],
    ['never', 'http://10.0.0.1/', 'own-network'],
    ['never', 'http://inside.test:{port}/', 'own-network'],
    ['never', 'http://mapped.test:{port}/', 'own-network'],
    // Addresses typed by an administrator may be internal, but not what a name resolves to.
    ['typed', 'http://inside.test:{port}/', 'own-network'],
    ['typed', 'http://mixed.test:{port}/', 'own-network'],
    ['typed', 'http://nowhere.test/', 'unknown-name'],
    // Forbidden for everyone.
    ['allowed', 'http://0.0.0.0:{port}/', 'forbidden-address'],
    ['allowed', 'http://0:{port}/', 'forbidden-address'],
    ['allowed', 'http://[::]:{port}/', 'forbidden-address'],
    ['allowed', 'http://169.254.169.254/latest/meta-data/', 'forbidden-address'],
    ['allowed', 'http://2852039166/', 'forbidden-address'],
    ['allowed', 'http://0xa9fea9fe/', 'forbidden-address'],
    ['allowed', 'http://[::ffff:169.254.169.254]/', 'forbidden-address'],
    ['allowed', 'http://[fe80::1]/', 'forbidden-address'],
    ['allowed', 'http://[fd00:ec2::254]/', 'forbidden-address'],
    ['allowed', 'http://metadata.test/', 'forbidden-address'],
    ['allowed', 'file:///etc/passwd', 'bad-url'],
    ['allowed', 'gopher://127.0.0.1:{port}/', 'bad-url'],
    ['allowed', 'data:text/plain,hello', 'bad-url'],
    ['allowed', 'concat:http://127.0.0.1:{port}/', 'bad-url'],
    ['allowed', 'rtmp://127.0.0.1:{port}/', 'bad-url'],
    ['allowed', '//127.0.0.1:{port}/', 'bad-url'],
    ['allowed', 'http://127.0.0.1:99999/', 'bad-url'],
    ['allowed', '', 'bad-url'],
  ] as const)('with own network %s refuses %s as %s, and sends nothing', async (ownNetwork, url, failure) => {
    const { port, seen } = await listen();
    await expect(ask(url.replace('{port}', String(port)), { ownNetwork })).rejects.toMatchObject({ failure });
    expect(seen).toHaveLength(0);
  });

  it.each([
    ['typed', '127.0.0.1'],
    ['typed', '2130706433'],
    ['typed', 'localhost'],
    ['typed', '[::ffff:127.0.0.1]'],
    ['allowed', 'inside.test'],
  ] as const)('with own network %s connects to %s', async (ownNetwork, host) => {
    const { port, seen } = await listen();
    const { status, body } = await ask(`http://${host}:${port}/path?q=1`, { ownNetwork });
    expect([status, body.toString()]).toEqual([200, 'hello']);
    expect(seen[0]?.url).toBe('/path?q=1');
    expect(seen[0]?.headers.host).toBe(new URL(`http://${host}:${port}`).host);
  });

  it('connects to the address that was checked, although the name resolves to another a moment later', async () => {
    const { port, seen } = await listen();
    let asked = 0;
    const fickle = new OutgoingClient(async () => [
      { address: asked++ === 0 ? '127.0.0.1' : '10.255.255.1', family: 4 },
    ]);
    const { status } = await fickle.send(
      { url: `http://fickle.test:${port}/`, method: 'GET' },
      { ...policy, ownNetwork: 'allowed' },
    );
    expect([status, asked, seen.length]).toEqual([200, 1, 1]);
  });
});

describe('redirects', () => {
  it('are refused unless the caller follows them', async () => {
    const inner = await listen();
    const { port } = await listen((_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${inner.port}/` }).end(),
    );
    await expect(ask(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ failure: 'redirect' });
    expect(inner.seen).toHaveLength(0);
  });

  it.each(['http://127.0.0.1:{port}/', 'http://169.254.169.254/', 'file:///etc/passwd'])(
    'are checked when they are followed: %s is refused although the administrator entered the first address',
    async (location) => {
      const inner = await listen();
      const { port } = await listen((_request, response) =>
        response.writeHead(307, { location: location.replace('{port}', String(inner.port)) }).end(),
      );
      await expect(ask(`http://127.0.0.1:${port}/`, { redirects: 3 })).rejects.toThrow();
      expect(inner.seen).toHaveLength(0);
    },
  );

  it('lose credentials when they lead to another server, and are limited in number', async () => {
    const inner = await listen();
    const { port } = await listen(({ url }, response) => {
      const location = url === '/loop' ? '/loop' : `http://127.0.0.1:${inner.port}/`;
      response.writeHead(302, { location }).end();
    });
    const followed = { ...policy, ownNetwork: 'allowed', redirects: 3 } as const;
    await client.send(
      { url: `http://127.0.0.1:${port}/`, method: 'GET', headers: { authorization: 'Bearer x' } },
      followed,
    );
    expect(inner.seen[0]?.headers.authorization).toBeUndefined();
    await expect(ask(`http://127.0.0.1:${port}/loop`, followed)).rejects.toMatchObject({ failure: 'redirect' });
  });
});

describe('limits', () => {
  it('sends a body and returns any status', async () => {
    let got = '';
    const { port } = await listen(async (request, response) => {
      got = await text(request);
      response.writeHead(500).end('no');
    });
    const answer = await client.send({ url: `http://127.0.0.1:${port}/`, method: 'POST', body: '{"é":1}' }, policy);
    expect([got, answer.status, answer.body.toString()]).toEqual(['{"é":1}', 500, 'no']);
  });

  it.each([
    ['announces more', { 'content-length': '10000000000' }],
    ['sends more', {}],
  ])('disconnects from a server that %s than is allowed', async (_title, headers) => {
    const { port } = await listen((_request, response) => {
      response.writeHead(200, headers);
      response.on('error', () => undefined);
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', pour);
      pour();
    });
    await expect(ask(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ failure: 'too-large' });
  });

  it.each([
    ['never answers', () => undefined],
    ['answers a drop at a time', (_request, response) => void response.write('x')],
  ] as [string, RequestListener][])(
    'does not wait longer than its timeout for a server that %s',
    async (_title, answer) => {
      const { port } = await listen(answer);
      const startedMs = performance.now();
      await expect(ask(`http://127.0.0.1:${port}/`, { withinMs: 200 })).rejects.toMatchObject({ failure: 'timeout' });
      expect(performance.now() - startedMs).toBeLessThan(1000);
    },
  );

  it('does not wait for a name server that does not answer', async () => {
    const deaf = new OutgoingClient(() => new Promise(() => undefined));
    const asked = deaf.send({ url: 'http://deaf.test/', method: 'GET' }, { ...policy, withinMs: 100 });
    await expect(asked).rejects.toMatchObject({ failure: 'timeout' });
  });

  it('aborts the request when the caller aborts', async () => {
    const { port } = await listen(() => stop.abort());
    const stop = new AbortController();
    const asked = client.send({ url: `http://127.0.0.1:${port}/`, method: 'GET' }, policy, stop.signal);
    await expect(asked).rejects.toMatchObject({ failure: 'stopped' });
  });

  it('reports when nothing listens, and when the answer is not HTTP', async () => {
    const tcp = createTcpServer((socket) => socket.resume().end('+PONG\r\n'));
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
    const { port } = tcp.address() as AddressInfo;
    await expect(ask(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ failure: 'no-connection' });
    await new Promise((resolve) => tcp.close(resolve));
    await expect(ask(`http://127.0.0.1:${port}/`)).rejects.toThrow('the connection was refused');
  });
});

describe('TLS', () => {
  it('refuses an invalid certificate, unless the target is excepted', async () => {
    const { port, seen } = await listen(undefined, true);
    await expect(ask(`https://127.0.0.1:${port}/`)).rejects.toMatchObject({ failure: 'bad-certificate' });
    expect(seen).toHaveLength(0);
    const { status } = await ask(`https://localhost:${port}/`, { verifiesTls: false });
    expect(status).toBe(200);
  });
});
