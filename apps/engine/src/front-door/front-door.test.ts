import { describe, expect, test } from 'vitest';
import { expectFailure, expectStandardHeaders, mutedLog, parse, standard } from './answers.fixture.ts';
import { exchange, get, openFrontDoor } from './front-door.fixture.ts';

describe('FrontDoor response headers', () => {
  test('are sent exactly once on answers of the control plane, and no internal cookie is passed on', async () => {
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

  test('are sent on redirects, refusals and empty paths', async () => {
    const { port } = await openFrontDoor();
    const root = await get(port, '/elsewhere?a=b');
    expectStandardHeaders(root);
    expect(root).toMatchObject({ status: 302, headers: { location: '/mgmt' } });
    expectFailure(await get(port, '/live/livestream.flv'), 404, 1003);
    expectFailure(await get(port, '/rtc/v1/whip/', { method: 'POST', body: 'v=0' }), 404, 1003);
    expectFailure(await get(port, '/terraform/%2e%2e/x'), 400, 1004);
  });
});

describe('FrontDoor OPTIONS', () => {
  test.each(['/', '/terraform/v1/x', '/live/x.flv', '/rtc/v1/whip/', '*'])(
    '%s is answered with 200 and no body',
    async (path) => {
      const { port } = await openFrontDoor();
      const got = await get(port, path, { method: 'OPTIONS' });
      expect(got).toMatchObject({ status: 200, text: '', headers: { 'content-length': '0' } });
      expectStandardHeaders(got);
    },
  );

  test('names Authorization when a preflight asks for it', async () => {
    const { port } = await openFrontDoor();
    const headers = { 'Access-Control-Request-Headers': 'content-type, Authorization' };
    const got = await get(port, '/terraform/v1/x', { method: 'OPTIONS', headers });
    expect(got.headers['access-control-allow-headers']).toBe('*, Authorization');
  });
});

describe('FrontDoor methods and upgrades', () => {
  test.each(['TRACE', 'PROPFIND', 'SUBSCRIBE', 'BREW'])(
    '%s is answered with 405 and the allowed methods',
    async (method) => {
      const { port } = await openFrontDoor();
      const got = parse(await exchange(port, `${method} /terraform/v1/x HTTP/1.1\r\nHost: a\r\n\r\n`));
      expectFailure(got, 405, 1004);
      expect(got.headers.allow).toBe('GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
    },
  );

  test('refuse CONNECT and close the connection', async () => {
    const { port } = await openFrontDoor();
    expectFailure(parse(await exchange(port, 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 'noise')), 405, 1004);
    expectFailure(parse(await exchange(port, 'CONNECT /terraform/../x HTTP/1.1\r\nHost: a\r\n\r\n')), 405, 1004);
  });

  test.each(['websocket', 'h2c'])('ignore an upgrade to %s and close the connection', async (protocol) => {
    const { port } = await openFrontDoor({}, (req, res) => res.end(`upgrade=${req.headers.upgrade}`));
    const head = `GET /mgmt/ HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: ${protocol}\r\n`;
    const got = parse(await exchange(port, `${head}HTTP2-Settings: x\r\nSec-WebSocket-Key: x\r\n\r\n`));
    expect(got).toMatchObject({ status: 200, headers: { connection: 'close' } });
    expect(got.text).toContain('upgrade=undefined');
  });
});

describe('FrontDoor media servers', () => {
  test('receive the paths of the routing table, and an exception in one fails one request only', async () => {
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

describe('FrontDoor pipelined requests', () => {
  const requestText = (path: string) => `GET /api/${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

  test('are answered in order', async () => {
    let running = 0;
    const { port } = await openFrontDoor({}, (req, res) => {
      expect(++running).toBe(1);
      setImmediate(() => {
        running--;
        res.end(`<${req.url}>`);
      });
    });
    const last = 'GET /api/3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    const text = await exchange(port, requestText('1') + requestText('2') + last);
    expect(text.match(/<[^>]*>/g)).toEqual(['</api/1>', '</api/2>', '</api/3>']);
  });

  test('above the limit close the connection', async () => {
    const { port } = await openFrontDoor({ limits: { maxPipelined: 8 } }, () => undefined);
    expect(await exchange(port, requestText('x').repeat(50))).toBe('');
  });
});
