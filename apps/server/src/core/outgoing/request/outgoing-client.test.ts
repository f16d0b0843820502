import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { selfSigned } from '../self-signed.fixture.ts';
import { OutgoingClient, type OutgoingPolicy } from './outgoing-client.ts';

const policy: OutgoingPolicy = {
  ownNetwork: 'typed',
  verifiesTls: true,
  redirects: 0,
  withinMs: 3000,
  answerBytes: 1024,
};

/** A real receiver on loopback that counts who got through. */
async function listen(answer: RequestListener = (_request, response) => response.end('hello'), tls = false) {
  const seen: IncomingMessage[] = [];
  const listener: RequestListener = (request, response) => {
    seen.push(request);
    answer(request, response);
  };
  const server = tls ? createTlsServer(await selfSigned(), listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, port: (server.address() as AddressInfo).port };
}

/** Names of tests: nothing here asks a real name server. */
const names: Record<string, readonly string[]> = {
  'inside.test': ['127.0.0.1'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'metadata.test': ['169.254.169.254'],
  'mixed.test': ['198.51.100.7', '127.0.0.1'],
};
const client = new OutgoingClient(async (name) => {
  const found = name === 'localhost' ? ['127.0.0.1'] : names[name];
  if (!found) throw new Error('no such name');
  return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
});

const ask = (url: string, change: Partial<OutgoingPolicy> = {}) =>
  client.send({ url, method: 'GET' }, { ...policy, ...change });

describe('addresses', () => {
  it.each([
    // What a stranger writes or a server points to: nothing inside is reached.
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
    // What an administrator typed may be inside, but not what a name turns out to be.
    ['typed', 'http://inside.test:{port}/', 'own-network'],
    ['typed', 'http://mixed.test:{port}/', 'own-network'],
    ['typed', 'http://nowhere.test/', 'unknown-name'],
    // Nobody may ask for these.
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
  ] as const)('own network %s: %s is refused as %s, and nothing arrives', async (ownNetwork, url, failure) => {
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
  ] as const)('own network %s: %s is asked', async (ownNetwork, host) => {
    const { port, seen } = await listen();
    const { status, body } = await ask(`http://${host}:${port}/path?q=1`, { ownNetwork });
    expect([status, body.toString()]).toEqual([200, 'hello']);
    expect(seen[0]?.url).toBe('/path?q=1');
    expect(seen[0]?.headers.host).toBe(new URL(`http://${host}:${port}`).host);
  });

  it('connects to what was checked, though the name means something else a moment later', async () => {
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
    'that are followed are checked: %s is refused although the administrator typed where it began',
    async (location) => {
      const inner = await listen();
      const { port } = await listen((_request, response) =>
        response.writeHead(307, { location: location.replace('{port}', String(inner.port)) }).end(),
      );
      await expect(ask(`http://127.0.0.1:${port}/`, { redirects: 3 })).rejects.toThrow();
      expect(inner.seen).toHaveLength(0);
    },
  );

  it('lose credentials when they lead to another server, and come to an end', async () => {
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
  it('sends a body and gets any status back', async () => {
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
  ])('lets go of a server that %s than is wanted', async (_title, headers) => {
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
    'does not wait longer for a server that %s than it was told',
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

  it('stops when it is told to', async () => {
    const { port } = await listen(() => stop.abort());
    const stop = new AbortController();
    const asked = client.send({ url: `http://127.0.0.1:${port}/`, method: 'GET' }, policy, stop.signal);
    await expect(asked).rejects.toMatchObject({ failure: 'stopped' });
  });

  it('says when nothing listens, and when it is not HTTP that answers', async () => {
    const tcp = createTcpServer((socket) => socket.resume().end('+PONG\r\n'));
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
    const { port } = tcp.address() as AddressInfo;
    await expect(ask(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ failure: 'no-connection' });
    await new Promise((resolve) => tcp.close(resolve));
    await expect(ask(`http://127.0.0.1:${port}/`)).rejects.toThrow('the connection was refused');
  });
});

describe('kept connections', () => {
  /** A receiver that counts connections, and how it answers the second question on one. */
  async function listenTwice(second: 'answers' | 'closes') {
    const ports: unknown[] = [];
    const { port } = await listen(({ socket }, response) => {
      const isSecond = ports.includes(socket.remotePort);
      ports.push(socket.remotePort);
      if (isSecond && second === 'closes') socket.destroy();
      else response.end('hello');
    });
    return { port, connections: () => new Set(ports).size };
  }
  const kept = { ...policy, ownNetwork: 'allowed', keepsConnection: true } as const;

  it('are used again by the next question, and only where the caller wants it', async () => {
    const { port, connections } = await listenTwice('answers');
    const url = `http://inside.test:${port}/`;
    for (let n = 0; n < 3; n++) expect((await client.send({ url, method: 'GET' }, kept)).status).toBe(200);
    expect(connections()).toBe(1);
    const { body } = await client.stream({ url, method: 'GET' }, kept, new AbortController().signal);
    for await (const chunk of body) expect(chunk.toString()).toBe('hello');
    expect(connections()).toBe(1);
    await ask(url, { ownNetwork: 'allowed' });
    expect(connections()).toBe(2);
  });

  it('that the other side has closed are not noticed', async () => {
    const { port, connections } = await listenTwice('closes');
    const url = `http://127.0.0.1:${port}/`;
    const post = () => client.send({ url, method: 'POST', body: 'x' }, kept);
    expect([(await post()).status, (await post()).status, connections()]).toEqual([200, 200, 2]);
  });

  it('S14: are not used where the name means something else by now', async () => {
    const { port, connections } = await listenTwice('answers');
    const meanings = ['127.0.0.1', '127.0.0.1', '169.254.169.254', '127.0.0.2'];
    const fickle = new OutgoingClient(async () => [{ address: meanings.shift() ?? '', family: 4 }]);
    const send = () => fickle.send({ url: `http://fickle.test:${port}/`, method: 'GET' }, kept);
    expect([(await send()).status, (await send()).status, connections()]).toEqual([200, 200, 1]);
    await expect(send()).rejects.toMatchObject({ failure: 'forbidden-address' });
    // Nothing listens there, though a connection to the other address is open.
    await expect(send()).rejects.toMatchObject({ failure: 'no-connection' });
  });
});

describe('TLS', () => {
  it('trusts nobody without a good certificate, unless the target is excepted', async () => {
    const { port, seen } = await listen(undefined, true);
    await expect(ask(`https://127.0.0.1:${port}/`)).rejects.toMatchObject({ failure: 'bad-certificate' });
    expect(seen).toHaveLength(0);
    const { status } = await ask(`https://localhost:${port}/`, { verifiesTls: false });
    expect(status).toBe(200);
  });
});

describe('uploads', () => {
  const body = 'x'.repeat(300_000);
  const upload = (url: string, { bytes = body.length, withinMs = 3000 } = {}) =>
    client.upload({ url, bytes, open: () => Readable.from([Buffer.from(body)]) }, { ...policy, withinMs });

  it('send a body while it is read, with its length', async () => {
    const { port, seen } = await listen(async (request, response) => {
      const got = await text(request);
      response.end(`${request.method} ${request.headers['content-length']} ${got.length}`);
    });
    const answer = await upload(`http://127.0.0.1:${port}/`);
    expect(answer.body.toString()).toBe('PUT 300000 300000');
    expect(seen).toHaveLength(1);
  });

  it('fail when the body is not as long as it was said to be', async () => {
    const { port } = await listen((request) => void request.resume());
    await expect(upload(`http://127.0.0.1:${port}/`, { bytes: body.length + 1 })).rejects.toMatchObject({
      failure: 'no-connection',
    });
    await expect(upload(`http://127.0.0.1:${port}/`, { bytes: 10 })).rejects.toMatchObject({
      failure: 'no-connection',
    });
  });

  it('take a refusal that comes before the body was sent', async () => {
    const { port } = await listen((_request, response) => response.writeHead(403).end('no'));
    expect((await upload(`http://127.0.0.1:${port}/`)).status).toBe(403);
  });

  it('end when nothing moves, and go nowhere that is forbidden', async () => {
    const { port } = await listen(() => undefined);
    await expect(upload(`http://127.0.0.1:${port}/`, { withinMs: 200 })).rejects.toMatchObject({ failure: 'timeout' });
    await expect(upload('http://169.254.169.254/')).rejects.toMatchObject({ failure: 'forbidden-address' });
  });
});
