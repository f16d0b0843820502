import { once } from 'node:events';
import { Agent } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { createLog, StartError } from '@weir/plane';
import { describe, expect, test, vi } from 'vitest';
import { dial, ended, exchange, type Got, get, openFrontDoor } from './front-door.fixture.ts';

const standard = [
  ['server', 'Weir/1.2.3'],
  ['access-control-allow-origin', '*'],
  ['access-control-allow-headers', '*'],
  ['access-control-allow-methods', '*'],
  ['access-control-expose-headers', '*'],
  ['access-control-allow-credentials', 'true'],
] as const;

function expectStandardHeaders({ rawHeaders }: Pick<Got, 'rawHeaders'>): void {
  for (const [name, value] of standard) {
    const values = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
    expect(values, name).toEqual([value]);
  }
}

const mutedLog = createLog('engine', 'error');
mutedLog.level = 'silent';

/** Takes a raw response apart. */
function parse(text: string): Got {
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  const [first = '', ...lines] = head.split('\r\n');
  const rawHeaders = lines.flatMap((line) => line.split(/: (.*)/s).slice(0, 2));
  const headers: Record<string, string> = {};
  for (const line of lines) headers[line.split(': ')[0]?.toLowerCase() ?? ''] = line.split(': ')[1] ?? '';
  return { status: Number(first.split(' ')[1]), headers, rawHeaders, text: body };
}

function expectFailure(got: Got, status: number, code: number): void {
  expect(got.status).toBe(status);
  expectStandardHeaders(got);
  expect(got.headers).toMatchObject({
    'content-type': 'application/json',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  expect(JSON.parse(got.text)).toEqual({ code, data: { message: expect.any(String) } });
}

describe('headers on every response', () => {
  test('stand exactly once on what the control plane answers, and no cookie gets out', async () => {
    const { port } = await openFrontDoor({}, (_req, res) => {
      for (const [name] of standard) res.setHeader(name, ['theirs', 'twice']);
      res.setHeader('Set-Cookie', ['a=1', 'b=2']);
      res.setHeader('X-Own', 'kept');
      res.writeHead(418).end('tea');
    });
    const got = await get(port, '/terraform/v1/x');
    expectStandardHeaders(got);
    expect(got).toMatchObject({ status: 418, text: 'tea', headers: { 'x-own': 'kept' } });
    expect(got.headers).not.toHaveProperty('set-cookie');
  });

  test('stand on redirects, refusals and empty paths', async () => {
    const { port } = await openFrontDoor();
    const root = await get(port, '/elsewhere?a=b');
    expectStandardHeaders(root);
    expect(root).toMatchObject({ status: 302, headers: { location: '/mgmt' } });
    expectFailure(await get(port, '/live/livestream.flv'), 404, 1003);
    expectFailure(await get(port, '/rtc/v1/whip/', { method: 'POST', body: 'v=0' }), 404, 1003);
    expectFailure(await get(port, '/terraform/%2e%2e/x'), 400, 1004);
  });
});

describe('OPTIONS', () => {
  test.each(['/', '/terraform/v1/x', '/live/x.flv', '/rtc/v1/whip/', '*'])('%s is 200 and empty', async (path) => {
    const { port } = await openFrontDoor();
    const got = await get(port, path, { method: 'OPTIONS' });
    expect(got).toMatchObject({ status: 200, text: '', headers: { 'content-length': '0' } });
    expectStandardHeaders(got);
  });

  test('a preflight that asks for Authorization is told so by name', async () => {
    const { port } = await openFrontDoor();
    const headers = { 'Access-Control-Request-Headers': 'content-type, Authorization' };
    const got = await get(port, '/terraform/v1/x', { method: 'OPTIONS', headers });
    expect(got.headers['access-control-allow-headers']).toBe('*, Authorization');
  });
});

describe('methods and upgrades', () => {
  test.each(['TRACE', 'PROPFIND', 'SUBSCRIBE', 'BREW'])('%s is 405 with what is allowed', async (method) => {
    const { port } = await openFrontDoor();
    const got = parse(await exchange(port, `${method} /terraform/v1/x HTTP/1.1\r\nHost: a\r\n\r\n`));
    expectFailure(got, 405, 1004);
    expect(got.headers.allow).toBe('GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
  });

  test('CONNECT is refused and the connection ended', async () => {
    const { port } = await openFrontDoor();
    expectFailure(parse(await exchange(port, 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 'noise')), 405, 1004);
    expectFailure(parse(await exchange(port, 'CONNECT /terraform/../x HTTP/1.1\r\nHost: a\r\n\r\n')), 405, 1004);
  });

  test.each(['websocket', 'h2c'])('an upgrade to %s is ignored and the connection ended', async (protocol) => {
    const { port } = await openFrontDoor({}, (req, res) => res.end(`upgrade=${req.headers.upgrade}`));
    const head = `GET /mgmt/ HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: ${protocol}\r\n`;
    const got = parse(await exchange(port, `${head}HTTP2-Settings: x\r\nSec-WebSocket-Key: x\r\n\r\n`));
    expect(got).toMatchObject({ status: 200, headers: { connection: 'close' } });
    expect(got.text).toContain('upgrade=undefined');
  });
});

describe('hostile bytes', () => {
  const post = 'POST /api/a HTTP/1.1\r\nHost: a\r\n';
  test.each([
    ['noise', '\x16\x03\x01\x00\xa5\x01\x00\r\n\r\n'],
    ['no request line', 'hello\r\n\r\n'],
    ['another protocol version', 'GET / HTTP/3.7\r\nHost: a\r\n\r\n'],
    ['no version', 'GET /\r\n\r\n'],
    ['the HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['no host', 'GET /api/a HTTP/1.1\r\n\r\n'],
    ['two hosts', 'GET /api/a HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['a host that is none', 'GET /api/a HTTP/1.1\r\nHost: a"><b\r\n\r\n'],
    ['absolute form', 'GET http://a/terraform/v1/x HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['authority form', 'GET a:80 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a space in the target', 'GET /api/a b HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['NUL in a header', 'GET /api/a HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n'],
    ['a space before the colon', `${post}Content-Length : 3\r\n\r\nabc`],
    ['a length and chunks', `${post}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['chunks and a length', `${post}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n`],
    ['two lengths', `${post}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc`],
    ['two lengths in one', `${post}Content-Length: 3, 4\r\n\r\nabc`],
    ['a signed length', `${post}Content-Length: +3\r\n\r\nabc`],
    ['a huge length', `${post}Content-Length: 99999999999999999999999\r\n\r\nabc`],
    ['chunks that are not last', `${post}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`],
    ['a coding before the chunks', `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ['chunks twice', `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['an unknown coding', `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['chunks in HTTP/1.0', 'POST /api/a HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a bad chunk size', `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n`],
    ['a bare LF in the headers', 'GET /api/a HTTP/1.1\nHost: a\n\n'],
  ])('%s: 400 on that connection and nothing reaches the control plane', async (_name, bytes) => {
    const served = vi.fn();
    const { port } = await openFrontDoor({}, (req, res) => {
      req.resume().once('end', () => served());
      res.on('close', () => undefined);
    });
    expectFailure(parse(await exchange(port, bytes)), 400, 1004);
    expect(served).not.toHaveBeenCalled();
    expect(await get(port, '/live/x.flv')).toMatchObject({ status: 404 });
  });

  test('headers above 16 KB: 431', async () => {
    const { port } = await openFrontDoor();
    const flood = `X-Flood: ${'x'.repeat(1000)}\r\n`.repeat(64);
    expectFailure(parse(await exchange(port, `GET / HTTP/1.1\r\nHost: a\r\n${flood}\r\n`)), 431, 1004);
    expectFailure(parse(await exchange(port, `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`)), 431, 1004);
  });

  test('a flood of small headers: 431, and as many as allowed do not push ours out', async () => {
    const { port } = await openFrontDoor({}, (req, res) => res.end(`peer=${req.headers['x-weir-peer']}`));
    const ask = (count: number) =>
      `GET /api/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${'a:\r\n'.repeat(count)}\r\n`;
    expectFailure(parse(await exchange(port, ask(3000))), 431, 1004);
    expect(await exchange(port, ask(400))).toMatch(/ 200 .*peer=direct/s);
  });

  test('any byte at any place is answered or refused, and never more than its own connection suffers', async () => {
    const log = createLog('engine', 'error');
    const failed = vi.spyOn(log, 'error');
    const { port } = await openFrontDoor({ log, limits: { bodyIdleMs: 100 } }, (req, res) => {
      req.resume().once('end', () => res.end(`saw ${req.url}`));
    });
    const places = [
      (byte: string) => `GET /api/${byte} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      (byte: string) => `GET /?${byte} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      (byte: string) => `GET /api/a HTTP/1.1\r\nHost: a\r\nX-${byte}: 1\r\nConnection: close\r\n\r\n`,
      (byte: string) => `GET /api/a HTTP/1.1\r\nHost: a\r\nX: a${byte}b\r\nConnection: close\r\n\r\n`,
      (byte: string) => `GET /api/a HTTP/1.1\r\nHost: a${byte}\r\nConnection: close\r\n\r\n`,
      (byte: string) => `POST /api/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 0${byte}\r\n\r\n`,
    ];
    for (const place of places) {
      const answers = await Promise.all(
        Array.from({ length: 256 }, (_, byte) => exchange(port, place(String.fromCharCode(byte)))),
      );
      for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 [2-4]\d\d /);
    }
    expect(failed).not.toHaveBeenCalled();
  });

  test('garbage behind a request does not get between the bytes of its response', async () => {
    const { port } = await openFrontDoor({}, (_req, res) => {
      res.writeHead(200, { 'Content-Length': '10' }).write('begin');
    });
    const socket = await dial(port);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.write('GET /api/a HTTP/1.1\r\nHost: a\r\n\r\n');
    await vi.waitFor(() => expect(text).toContain('begin'));
    socket.write('garbage\r\n\r\n');
    await ended(socket);
    expect(text).toMatch(/begin$/);
  });
});

describe('media servers', () => {
  test('plug in where the table sends their paths, and one that throws costs one request', async () => {
    const { port } = await openFrontDoor({
      log: mutedLog,
      media: (exchange) => {
        if (exchange.url === '/live/bad.flv') throw new Error('a fault');
        exchange.answer(200, ['Content-Type', 'video/x-flv', 'Content-Length', '3'], Buffer.from('FLV'));
      },
      rtc: (_req, res, reply) => {
        reply.head(res, 201, []);
        res.end('v=0');
      },
    });
    const flv = await get(port, '/live/livestream.flv?secret=x');
    expectStandardHeaders(flv);
    expect(flv).toMatchObject({ status: 200, text: 'FLV' });
    expect(await get(port, '/rtc/v1/whip/', { method: 'POST', body: 'v=0' })).toMatchObject({ status: 201 });
    expectFailure(await get(port, '/live/bad.flv'), 500, 1);
    expect(await get(port, '/live/livestream.flv')).toMatchObject({ status: 200 });
  });
});

describe('requests sent ahead', () => {
  const ask = (path: string) => `GET /api/${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

  test('are answered one after the other, in order', async () => {
    let running = 0;
    const { port } = await openFrontDoor({}, (req, res) => {
      expect(++running).toBe(1);
      setImmediate(() => {
        running--;
        res.end(`<${req.url}>`);
      });
    });
    const last = 'GET /api/3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    const text = await exchange(port, ask('1') + ask('2') + last);
    expect(text.match(/<[^>]*>/g)).toEqual(['</api/1>', '</api/2>', '</api/3>']);
  });

  test('without measure cost the connection', async () => {
    const { port } = await openFrontDoor({ limits: { maxPipelined: 8 } }, () => undefined);
    expect(await exchange(port, ask('x').repeat(50))).toBe('');
  });
});

describe('slow headers', () => {
  test.each([
    ['nothing at all', ''],
    ['half a request', 'GET / HTTP/1.1\r\nHost: a\r\n'],
  ])('%s is cut with 408 after the limit', async (_name, bytes) => {
    const { port } = await openFrontDoor({ limits: { headersMs: 100 } });
    const text = await exchange(port, bytes);
    expectFailure(parse(text), 408, 1004);
  });

  test('one header line now and then does not extend the limit', async () => {
    const { port } = await openFrontDoor({ limits: { headersMs: 200 } });
    const socket = await dial(port);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n');
    const drip = setInterval(() => socket.write('X-A: b\r\n'), 20);
    socket.resume();
    await ended(socket);
    clearInterval(drip);
  });

  test('an idle connection is ended after its own limit', async () => {
    const { port } = await openFrontDoor({ limits: { keepAliveMs: 50 } });
    expect(await exchange(port, 'GET /elsewhere HTTP/1.1\r\nHost: a\r\n\r\n')).toMatch(/ 302 /);
  });
});

describe('listening', () => {
  test('a port in use is named with the variable that changes it', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const taken = { host: '127.0.0.1', port: (other.address() as AddressInfo).port };
    for (const [config, variable] of [
      [{ http: taken }, 'MGMT_LISTEN'],
      [{ https: taken }, 'HTTPS_LISTEN'],
      [{ extraHttp: taken }, 'PLATFORM_LISTEN'],
    ] as const) {
      const failed = openFrontDoor({ config });
      await expect(failed).rejects.toThrow(StartError);
      await expect(failed).rejects.toThrow(new RegExp(`Port ${taken.port} .*${variable}`));
    }
    other.close();
  });

  test('an address this machine does not have is named with its variable', async () => {
    const failed = openFrontDoor({ config: { http: { host: '192.0.2.1', port: 0 } } });
    await expect(failed).rejects.toThrow(/192\.0\.2\.1.*MGMT_LISTEN/);
  });

  test('without a host it listens on every address, and IPv4 clients keep their plain addresses', async () => {
    const config = { http: { host: undefined, port: 0 }, extraHttp: { host: undefined, port: 0 } };
    const { door } = await openFrontDoor({ config }, (req, res) => res.end(req.headers['x-forwarded-for']));
    expect(await get(door.httpPort, '/api/a')).toMatchObject({ text: '127.0.0.1' });
    const [first, second, https] = door.listeners();
    expect(first).toEqual({ protocol: 'http', port: door.httpPort, ready: true, note: '' });
    expect(https).toEqual({ protocol: 'https', port: door.httpsPort, ready: false, note: 'no-certificate' });
    expect(await get(second?.port ?? 0, '/api/a')).toMatchObject({ text: '127.0.0.1' });
  });
});

describe('closing', () => {
  test('lets a running response end and refuses new connections', async () => {
    const { door, port } = await openFrontDoor({}, (_req, res) => {
      res.write('begin,');
      setTimeout(() => res.end('end'), 100);
    });
    const agent = new Agent({ keepAlive: true });
    const running = get(port, '/api/a', { agent });
    await dial(port);
    await vi.waitFor(() => expect(agent.sockets).not.toEqual({}));
    await new Promise(setImmediate);
    const closed = door.close();
    expect(await running).toMatchObject({ text: 'begin,end' });
    await closed;
    await expect(get(port, '/')).rejects.toThrow('ECONNREFUSED');
    agent.destroy();
  });

  test('does not wait for a client that hangs, in a response, in a handshake or before a request', async () => {
    const { door, port } = await openFrontDoor({ limits: { closeMs: 200 } }, (_req, res) => res.write('begin'));
    const sockets = await Promise.all([dial(port), dial(port), dial(door.httpsPort)]);
    sockets[0].write('GET /api/a HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(sockets[0], 'data');
    const ends = Promise.all(sockets.map((socket) => ended(socket.resume())));
    const before = performance.now();
    await Promise.all([door.close(), door.close()]);
    expect(performance.now() - before).toBeLessThan(1500);
    await ends;
  });
});
