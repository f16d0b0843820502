import { once } from 'node:events';
import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createLog } from '@weir/plane';
import { describe, expect, test, vi } from 'vitest';
import { dial, ended, exchange, get, openFrontDoor, startControl, stopControl } from '../front-door.fixture.ts';

const megabyte = Buffer.alloc(1 << 20, 'x');
const bulk = 200;

/** Megabytes, made only as fast as they are taken. */
function megabytes(count: number): Readable {
  let left = count;
  return new Readable({
    highWaterMark: 1 << 20,
    read() {
      this.push(left-- > 0 ? megabyte : null);
    },
  });
}

async function bytesOf(stream: Readable): Promise<number> {
  let total = 0;
  stream.on('data', (chunk: Buffer) => {
    total += chunk.length;
  });
  await once(stream, 'end');
  return total;
}

async function call(port: number, path: string, method = 'GET', headers: Record<string, string | number> = {}) {
  const req = request({ host: '127.0.0.1', port, path, method, headers, agent: false });
  req.on('error', () => undefined);
  const answer = once(req, 'response').then(([res]: IncomingMessage[]) => {
    if (!res) throw new Error('no response');
    return res;
  });
  return { req, answer };
}

/** Runs work while watching how far memory rises above where it began. */
async function memoryRiseMb(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20);
  await work();
  clearInterval(watch);
  return (Math.max(peak, process.memoryUsage.rss()) - before) / (1 << 20);
}

describe('bodies', () => {
  test('streams 200 MB up and 200 MB down in bounded memory', async () => {
    const { port } = await openFrontDoor({}, async (req, res) => {
      if (req.method === 'GET') pipeline(megabytes(bulk), res).catch(() => undefined);
      else res.end(String(await bytesOf(req)));
    });
    const rise = await memoryRiseMb(async () => {
      const up = await call(port, '/terraform/v1/up', 'POST', { 'Content-Length': bulk << 20 });
      await pipeline(megabytes(bulk), up.req);
      expect((await (await up.answer).toArray()).join('')).toBe(String(bulk << 20));
      const down = await call(port, '/terraform/v1/down');
      down.req.end();
      expect(await bytesOf(await down.answer)).toBe(bulk << 20);
    });
    // Client, proxy and control plane share this process; one that kept a body would add its 200 MB.
    expect(rise).toBeLessThan(150);
  });

  test('a client that does not read stops the control plane from producing, and gets everything later', async () => {
    const total = 64;
    let produced = 0;
    const { port } = await openFrontDoor({}, (_req, res) => {
      const source = megabytes(total);
      source.on('data', () => {
        produced++;
      });
      source.pipe(res);
    });
    const { req, answer } = await call(port, '/terraform/v1/down');
    req.end();
    const res = await answer;
    let seen = -1;
    await vi.waitFor(
      () => {
        const isStill = produced > 0 && produced === seen;
        seen = produced;
        expect(isStill).toBe(true);
      },
      { interval: 100, timeout: 5000 },
    );
    expect(produced).toBeLessThan(total / 2);
    expect(await bytesOf(res)).toBe(total << 20);
  });

  test('keeps the framing: a length stays a length, chunks stay chunks, no body stays none', async () => {
    const seen: Record<string, unknown>[] = [];
    const { port } = await openFrontDoor({}, async (req, res) => {
      const { 'content-length': length, 'transfer-encoding': coding } = req.headers;
      seen.push({ method: req.method, length, coding, bytes: (await req.toArray()).join('') });
      res.end('fine');
    });
    await get(port, '/api/a', { method: 'POST', body: 'hello' });
    await get(port, '/api/a', { method: 'POST', headers: { 'Transfer-Encoding': 'chunked' }, body: 'hello' });
    await get(port, '/api/a', { method: 'DELETE', headers: { 'Transfer-Encoding': 'chunked' }, body: 'gone' });
    await get(port, '/api/a');
    await exchange(port, 'POST /api/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(seen).toEqual([
      { method: 'POST', length: '5', coding: undefined, bytes: 'hello' },
      { method: 'POST', length: undefined, coding: 'chunked', bytes: 'hello' },
      { method: 'DELETE', length: undefined, coding: 'chunked', bytes: 'gone' },
      { method: 'GET', length: undefined, coding: undefined, bytes: '' },
      { method: 'POST', length: '0', coding: undefined, bytes: '' },
    ]);
  });

  test('HEAD, 204 and 304 carry no body and leave the connection usable', async () => {
    const { port } = await openFrontDoor({}, (req, res) => {
      if (req.method === 'HEAD') res.writeHead(200, { 'Content-Length': '12345' }).end();
      else res.writeHead(Number(req.url?.slice(-3)), { ETag: '"x"' }).end();
    });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const head = await get(port, '/mgmt/', { method: 'HEAD', agent });
    expect([head.status, head.headers['content-length'], head.text]).toEqual([200, '12345', '']);
    expect(await get(port, '/mgmt/204', { agent })).toMatchObject({ status: 204, text: '' });
    const unchanged = await get(port, '/mgmt/304', { agent });
    expect([unchanged.status, unchanged.headers.etag, unchanged.text]).toEqual([304, '"x"', '']);
    agent.destroy();
  });

  test('passes the interim answer that Expect asks for, and the final one instead when there is none', async () => {
    const { port } = await openFrontDoor({}, async (req, res) => res.end((await req.toArray()).join('')));
    const { req, answer } = await call(port, '/api/a', 'POST', { Expect: '100-continue', 'Content-Length': 5 });
    req.flushHeaders();
    await once(req, 'continue');
    req.end('hello');
    expect((await (await answer).toArray()).join('')).toBe('hello');
    const head = 'HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n';
    const refused = await exchange(port, `POST /live/x.flv ${head}`);
    expect(refused).toMatch(/^HTTP\/1\.1 404 .*Connection: close/s);
    expect(await exchange(port, `POST /live/x.flv ${head.replace('100-continue', 'miracles')}`)).toMatch(/ 417 /);
  });

  test('a refusal of an expected body ends the connection instead of guessing what follows', async () => {
    const { port, controlSocket } = await openFrontDoor();
    const control = await startControl(controlSocket, () => undefined);
    control.on('checkContinue', (_req, res: ServerResponse) => res.writeHead(401).end('no'));
    const head = 'POST /api/a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n';
    expect(await exchange(port, head)).toMatch(/^HTTP\/1\.1 401 .*Connection: close/s);
  });

  test('an answer that comes before the upload ends reaches the client', async () => {
    const { port } = await openFrontDoor({}, (_req, res) => res.writeHead(401).end('who are you'));
    const { req, answer } = await call(port, '/terraform/v1/up', 'POST', { 'Content-Length': 64 << 20 });
    const upload = pipeline(megabytes(64), req).catch(() => undefined);
    const res = await answer;
    expect([res.statusCode, (await res.toArray()).join('')]).toEqual([401, 'who are you']);
    await upload;
  });
});

describe('streams', () => {
  test('each event arrives while the response is still open, the headers even before the first', async () => {
    let events: ServerResponse | undefined;
    const { port } = await openFrontDoor({ limits: { stallMs: 50, answerMs: 500 } }, (_req, res) => {
      events = res;
      res.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
    });
    const { req, answer } = await call(port, '/terraform/v1/events');
    req.end();
    const res = await answer;
    for (const text of ['data: one\n\n', 'data: two\n\n']) {
      const arrival = once(res, 'data');
      events?.write(text);
      expect(String((await arrival)[0])).toBe(text);
    }
    // Far beyond both limits nothing has cut the idle stream.
    const idle = once(res, 'data');
    setTimeout(() => events?.write('data: late\n\n'), 700);
    expect(String((await idle)[0])).toBe('data: late\n\n');
    res.destroy();
  });

  test('a client that leaves is noticed by the control plane, in an upload and in a download', async () => {
    const left = vi.fn();
    const { port } = await openFrontDoor({}, (req, res) => {
      if (req.method === 'POST') req.resume().once('error', left);
      else res.once('close', left).write('begin');
    });
    const down = await call(port, '/terraform/v1/events');
    down.req.end();
    (await down.answer).destroy();
    await vi.waitFor(() => expect(left).toHaveBeenCalledTimes(1));
    const up = await call(port, '/terraform/v1/up', 'POST', { 'Content-Length': 1000 });
    up.answer.catch(() => undefined);
    up.req.write('part', () => up.req.destroy());
    await vi.waitFor(() => expect(left).toHaveBeenCalledTimes(2));
  });

  test.each([
    ['with chunks', {}],
    ['with a length', { 'Content-Length': '1000' }],
  ])('an answer that breaks off %s is never taken for a whole one', async (_name, headers) => {
    const { port } = await openFrontDoor({}, (_req, res) => {
      res.writeHead(200, headers).write('begin', () => res.destroy());
    });
    await expect(get(port, '/terraform/v1/x')).rejects.toThrow('aborted');
  });

  test('an answer that breaks off towards an HTTP/1.0 client ends in a reset', async () => {
    let answer: ServerResponse | undefined;
    const { port } = await openFrontDoor({}, (_req, res) => {
      answer = res;
      res.write('begin');
    });
    const socket = await dial(port);
    socket.write('GET /terraform/v1/x HTTP/1.0\r\n\r\n');
    await once(socket, 'data');
    const broken = once(socket, 'error');
    answer?.destroy();
    expect(String(await broken.catch((error: unknown) => error))).toContain('ECONNRESET');
  });
});

describe('a control plane in trouble', () => {
  test('away: 503 that says when to come back; here again: works', async () => {
    const { port, controlSocket } = await openFrontDoor();
    const away = await get(port, '/terraform/v1/x', { method: 'POST', body: 'hello' });
    expect(away).toMatchObject({ status: 503, headers: { 'retry-after': '1', 'cache-control': 'no-store' } });
    expect(JSON.parse(away.text)).toMatchObject({ code: 1, data: { message: expect.stringContaining('try again') } });
    const first = await startControl(controlSocket, (_req, res) => res.end('first'));
    expect(await get(port, '/terraform/v1/x')).toMatchObject({ status: 200, text: 'first' });
    await stopControl(first);
    expect(await get(port, '/terraform/v1/x')).toMatchObject({ status: 503 });
    await startControl(controlSocket, (_req, res) => res.end('second'));
    expect(await get(port, '/terraform/v1/x')).toMatchObject({ status: 200, text: 'second' });
  });

  test('away while a browser opens a page: a page in its language that asks again by itself', async () => {
    const { port } = await openFrontDoor({});
    const page = (language: string, path = '/') =>
      get(port, path, { headers: { accept: 'text/html,*/*;q=0.8', 'accept-language': language } });
    const english = await page('de,en;q=0.5', '/?code=x');
    expect(english).toMatchObject({ status: 503, headers: { 'retry-after': '1', 'cache-control': 'no-store' } });
    expect(english.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(english.text).toContain('location.reload()');
    expect(english.text).toContain('The server is starting');
    expect((await page('zh-CN,zh;q=0.9', '/mgmt/zh/routers-login')).text).toContain('服务器正在启动');
    const script = await get(port, '/terraform/v1/x', { headers: { accept: '*/*' } });
    expect(script.headers['content-type']).toBe('application/json');
  });

  test('closes before it answers: 503', async () => {
    const { port } = await openFrontDoor({}, (req) => req.socket.destroy());
    expect(await get(port, '/terraform/v1/x')).toMatchObject({ status: 503 });
    expect(await get(port, '/terraform/v1/x', { method: 'POST', body: 'x' })).toMatchObject({ status: 503 });
  });

  test('a GET that meets a connection just closed is repeated on a new one, a POST is not', async () => {
    const used = new WeakSet();
    const { port } = await openFrontDoor({}, (req, res) => {
      if (used.has(req.socket)) req.socket.destroy();
      else res.end('fresh');
      used.add(req.socket);
    });
    expect(await get(port, '/api/a')).toMatchObject({ text: 'fresh' });
    expect(await get(port, '/api/a')).toMatchObject({ status: 200, text: 'fresh' });
    expect(await get(port, '/api/a')).toMatchObject({ text: 'fresh' });
    expect(await get(port, '/api/a', { method: 'POST', body: 'x' })).toMatchObject({ status: 503 });
  });

  test('accepts but never answers: 504, also after a whole body', async () => {
    const left = vi.fn();
    const { port } = await openFrontDoor({ limits: { answerMs: 100 } }, (req) => {
      req.resume().socket.once('close', left);
    });
    expect(await get(port, '/terraform/v1/x')).toMatchObject({ status: 504 });
    expect(await get(port, '/terraform/v1/x', { method: 'POST', body: 'hello' })).toMatchObject({ status: 504 });
    await vi.waitFor(() => expect(left).toHaveBeenCalledTimes(2));
  });

  test('away in the middle of an upload: 503, the rest is read away and the connection stays usable', async () => {
    const log = createLog('engine', 'error');
    const warn = vi.spyOn(log, 'warn');
    const { port } = await openFrontDoor({ log, limits: { answerMs: 20, keepAliveMs: 200 } });
    const socket = await dial(port);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.write('POST /api/a HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\n\r\nhalf');
    await vi.waitFor(() => expect(text).toMatch(/ 503 .*shortly/s));
    socket.write('halfGET /elsewhere HTTP/1.1\r\nHost: a\r\n\r\n');
    await vi.waitFor(() => expect(text).toMatch(/ 302 /));
    await ended(socket);
    expect(warn).not.toHaveBeenCalled();
  });

  test('a response that is no HTTP: 502', async () => {
    const { port } = await openFrontDoor({}, (req) => req.socket.end('NONSENSE\r\n\r\n'));
    expect(await get(port, '/terraform/v1/x')).toMatchObject({ status: 502 });
  });

  test('more requests than it can hold: 503 at once, and room again afterwards', async () => {
    const waiting: ServerResponse[] = [];
    const { port } = await openFrontDoor({ limits: { maxUpstream: 2 } }, (_req, res) => waiting.push(res));
    const held = [get(port, '/api/1'), get(port, '/api/2')];
    await vi.waitFor(() => expect(waiting).toHaveLength(2));
    expect(await get(port, '/api/3')).toMatchObject({ status: 503 });
    for (const res of waiting.splice(0)) res.end('done');
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200]);
    const last = get(port, '/api/4');
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    waiting.pop()?.end();
    expect(await last).toMatchObject({ status: 200 });
  });

  test('one client address cannot take every place', async () => {
    const waiting: ServerResponse[] = [];
    const options = {
      limits: { perNetwork: { network: 1, site: 9, region: 9 } },
      config: { trustedProxies: ['127.0.0.1'] },
    };
    const { port } = await openFrontDoor(options, (_req, res) => waiting.push(res));
    const from = (address: string) => get(port, '/api/a', { headers: { 'X-Forwarded-For': address } });
    const held = from('192.0.2.1');
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    expect(await from('192.0.2.1')).toMatchObject({ status: 503 });
    const other = from('192.0.2.2');
    await vi.waitFor(() => expect(waiting).toHaveLength(2));
    for (const res of waiting) res.end();
    expect((await Promise.all([held, other])).map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe('slow clients', () => {
  test('a body that stops coming is cut after its limit: 408', async () => {
    const left = vi.fn();
    const { port } = await openFrontDoor({ limits: { bodyIdleMs: 100 } }, (req) => {
      req.resume().once('error', left);
    });
    const text = await exchange(port, 'POST /api/a HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc');
    expect(text).toMatch(/^HTTP\/1\.1 408 .*Connection: close/s);
    await vi.waitFor(() => expect(left).toHaveBeenCalled());
  });

  test('a body that keeps coming may take longer than any limit', async () => {
    const limits = { bodyIdleMs: 800, answerMs: 800, headersMs: 800, lingerMs: 800 };
    const { port } = await openFrontDoor({ limits }, async (req, res) => res.end(String(await bytesOf(req))));
    const { req, answer } = await call(port, '/api/a', 'POST', { 'Transfer-Encoding': 'chunked' });
    for (let sent = 0; sent < 12; sent++) {
      await new Promise((resolve) => setTimeout(resolve, 80));
      req.write('x');
    }
    req.end();
    expect((await (await answer).toArray()).join('')).toBe('12');
  });

  test('a client that takes nothing for too long is cut', async () => {
    const cut = vi.fn();
    const { port } = await openFrontDoor({ limits: { stallMs: 100 } }, (_req, res) => {
      megabytes(64).pipe(res).once('close', cut);
    });
    const { req, answer } = await call(port, '/terraform/v1/down');
    req.end();
    const res = await answer;
    await vi.waitFor(() => expect(cut).toHaveBeenCalled(), { timeout: 5000 });
    await expect(bytesOf(res)).rejects.toThrow();
  });

  test('the rest of an unwanted body is read for a while only', async () => {
    const { port } = await openFrontDoor({ limits: { lingerMs: 100 } });
    const text = await exchange(port, 'POST /live/x.flv HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc');
    expect(text).toMatch(/^HTTP\/1\.1 404 /);
  });
});
