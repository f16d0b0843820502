import { once } from 'node:events';
import { Agent, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { describe, expect, test, vi } from 'vitest';
import { dial, exchange, get, openFrontDoor, startControl } from '../front-door.fixture.ts';
import { bulk, bytesOf, call, megabytes, memoryRiseMb, untilStill } from './control-proxy.fixture.ts';

describe('ControlProxy with bodies', () => {
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

  test('pauses the control plane while a client does not read, and delivers everything later', async () => {
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
    await untilStill(() => produced);
    expect(produced).toBeLessThan(total / 2);
    expect(await bytesOf(res)).toBe(total << 20);
  });

  test('keeps the framing: a length stays a length, chunks stay chunks, an absent body stays absent', async () => {
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

  test('sends no body with HEAD, 204 and 304 and leaves the connection usable', async () => {
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

  test('passes on the interim answer that Expect asks for, or the final answer when there is none', async () => {
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

  test('closes the connection when the control plane refuses an expected body', async () => {
    const { port, controlSocket } = await openFrontDoor();
    const control = await startControl(controlSocket, () => undefined);
    control.on('checkContinue', (_req, res: ServerResponse) => res.writeHead(401).end('no'));
    const head = 'POST /api/a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n';
    expect(await exchange(port, head)).toMatch(/^HTTP\/1\.1 401 .*Connection: close/s);
  });

  test('passes on an answer that comes before the upload ends', async () => {
    const { port } = await openFrontDoor({}, (_req, res) => res.writeHead(401).end('who are you'));
    const { req, answer } = await call(port, '/terraform/v1/up', 'POST', { 'Content-Length': 64 << 20 });
    const upload = pipeline(megabytes(64), req).catch(() => undefined);
    const res = await answer;
    expect([res.statusCode, (await res.toArray()).join('')]).toEqual([401, 'who are you']);
    await upload;
  });
});

describe('ControlProxy with event streams', () => {
  test('delivers each event while the response is open, and the headers before the first event', async () => {
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

  test('notifies the control plane when a client disconnects during an upload or a download', async () => {
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
  ])('never presents an answer that breaks off %s as complete', async (_name, headers) => {
    const { port } = await openFrontDoor({}, (_req, res) => {
      res.writeHead(200, headers).write('begin', () => res.destroy());
    });
    await expect(get(port, '/terraform/v1/x')).rejects.toThrow('aborted');
  });

  test('resets the connection to an HTTP/1.0 client when an answer breaks off', async () => {
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
