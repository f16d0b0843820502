import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { KnownBearers, parseBearer } from './control/control-proxy.ts';
import { dial, ended, exchange, get, openFrontDoor } from './front-door.fixture.ts';

const slowBody = 'Host: a\r\nContent-Length: 100\r\n\r\nabc';
const administrator = 'Bearer the-real-one';

/** Answers whole requests, and tells like the control plane whose credential it accepts. */
const control: RequestListener = (req: IncomingMessage, res: ServerResponse) => {
  const { authorization } = req.headers;
  req.on('error', () => undefined);
  req.resume().once('end', () => {
    if (authorization !== undefined && authorization !== administrator) res.writeHead(401);
    else if (authorization !== undefined) res.setHeader('X-Weir-Accepted', '1');
    res.end('fine');
  });
};

const places = { maxUpstream: 8, reservedUpstream: 2 };
const perNetwork = { network: 3, site: 4, region: 4 };
const config = { trustedProxies: ['127.0.0.1'] };

describe('S38: slow bodies from the addresses of few networks', () => {
  async function openCrowded() {
    const { port } = await openFrontDoor({ limits: { ...places, perNetwork }, config }, control);
    const sendRequest = (address: string, authorization?: string) =>
      get(port, '/api/a', {
        method: 'POST',
        body: 'x',
        headers: { 'X-Forwarded-For': address, ...(authorization !== undefined && { authorization }) },
      });
    /** Begins a body and leaves it at that. */
    const hold = async (address: string): Promise<Socket> => {
      const socket = await dial(port);
      socket.on('error', () => undefined);
      socket.write(`POST /api/a HTTP/1.1\r\nX-Forwarded-For: ${address}\r\n${slowBody}`);
      return socket;
    };
    return { port, sendRequest, hold };
  }

  it('use up the share of their own /64 and not that of others', async () => {
    const { sendRequest, hold } = await openCrowded();
    for (let n = 1; n <= 3; n++) await hold(`2001:db8:0:1::${n}`);
    await vi.waitFor(async () => expect(await sendRequest('2001:db8:0:1::ffff')).toMatchObject({ status: 503 }));
    expect(await sendRequest('2001:db8:0:2::1')).toMatchObject({ status: 200 });
    expect(await sendRequest('203.0.113.1')).toMatchObject({ status: 200 });
  });

  it('lose a connection of the largest network when connections of many networks reach the limit', async () => {
    const { sendRequest, hold } = await openCrowded();
    const held = await Promise.all(
      ['2001:db8:1:1::1', '2001:db8:1:1::2', '2001:db8:1:2::1', '2001:db8:2:1::1'].flatMap((address) => [
        hold(address),
        hold(address.replace('2001:db8', '2001:db9')),
      ]),
    );
    // All eight places are taken; the ninth of the same region gets none.
    await vi.waitFor(async () => expect(await sendRequest('2001:db8:3::1')).toMatchObject({ status: 503 }));
    const [cut] = await Promise.all([
      Promise.race(held.map(async (socket) => String((await once(socket, 'data'))[0]))),
      vi.waitFor(async () => expect(await sendRequest('203.0.113.1')).toMatchObject({ status: 200 })),
    ]);
    expect(cut).toMatch(/^HTTP\/1\.1 503 .*Connection: close/s);
    expect(await sendRequest('198.51.100.1')).toMatchObject({ status: 200 });
  });

  it('do not lock out a signed-in administrator, even of the same network, and a forged credential does not help', async () => {
    const { sendRequest, hold } = await openCrowded();
    const address = '2001:db8:0:1::1';
    const first = await sendRequest(address, administrator);
    expect(first).toMatchObject({ status: 200 });
    expect(first.headers).not.toHaveProperty('x-weir-accepted');
    for (let n = 1; n <= 3; n++) await hold(address);
    await vi.waitFor(async () => expect(await sendRequest(address)).toMatchObject({ status: 503 }));
    expect(await sendRequest(address, 'Bearer forged')).toMatchObject({ status: 503 });
    expect(await sendRequest(address, administrator)).toMatchObject({ status: 200 });
  });
});

describe('S38: a request body that sends a byte now and then', () => {
  it('is cut after a total time that pauses do not extend', async () => {
    const limits = { bodyMs: 300, bodyIdleMs: 60_000 };
    const { port } = await openFrontDoor({ limits }, control);
    const socket = await dial(port);
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    socket.write(`POST /api/a HTTP/1.1\r\n${slowBody}`);
    const drip = setInterval(() => socket.write('x'), 30);
    await vi.waitFor(() => expect(text).toMatch(/^HTTP\/1\.1 408 /));
    clearInterval(drip);
  });

  it('may take as long as it needs when it is large and makes progress', async () => {
    const limits = { bodyMs: 50, minBodyBytesPerSecond: 1000 };
    const { port } = await openFrontDoor({ limits }, control);
    const socket = await dial(port);
    const answered = once(socket, 'data');
    socket.write('POST /api/a HTTP/1.1\r\nHost: a\r\nContent-Length: 50000\r\n\r\n');
    for (let sent = 0; sent < 10; sent++) {
      socket.write('x'.repeat(5000));
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    expect(String((await answered)[0])).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('S38: connections that send their headers slowly', () => {
  it('are closed to make room for a connection with a complete request', async () => {
    const { port } = await openFrontDoor({ limits: { maxConnections: 5, headersMs: 60_000 } }, control);
    const idle = await Promise.all(Array.from({ length: 5 }, () => dial(port)));
    for (const socket of idle) socket.on('error', () => undefined).write('GET / HTTP/1.1\r\nX-A: ');
    const over = Promise.race(idle.map((socket) => ended(socket.resume())));
    expect(await get(port, '/api/a')).toMatchObject({ status: 200 });
    await over;
    expect(idle.filter((socket) => !socket.destroyed).length).toBeGreaterThanOrEqual(3);
  });

  it('do not displace connections whose request is being answered', async () => {
    const waiting: ServerResponse[] = [];
    const { port } = await openFrontDoor({ limits: { maxConnections: 2 } }, (_req, res) => waiting.push(res));
    const held = [get(port, '/api/1'), get(port, '/api/2')];
    await vi.waitFor(() => expect(waiting).toHaveLength(2));
    expect(await exchange(port, 'GET /api/3 HTTP/1.1\r\nHost: a\r\n\r\n').catch(() => '')).toBe('');
    for (const res of waiting) res.end('done');
    expect((await Promise.all(held)).map(({ text }) => text)).toEqual(['done', 'done']);
    await vi.waitFor(async () => {
      const last = get(port, '/api/4');
      await vi.waitFor(() => expect(waiting).toHaveLength(3));
      waiting.pop()?.end('done');
      expect((await last).text).toBe('done');
    });
  });
});

describe('the cache of known credentials', () => {
  it('drops refused and expired credentials, and the oldest above the limit', () => {
    let nowMs = 0;
    const known = new KnownBearers(() => nowMs);
    const accept = (bearer: string) => known.learn(parseBearer(bearer), { isAccepted: true, isRefused: false });
    accept('a');
    expect(known.has(parseBearer('a'))).toBe(true);
    known.learn(parseBearer('a'), { isAccepted: false, isRefused: true });
    expect(known.has(parseBearer('a'))).toBe(false);
    accept('b');
    nowMs = 3_600_000;
    expect(known.has(parseBearer('b'))).toBe(false);
    for (let n = 0; n < 300; n++) accept(`c${n}`);
    expect([known.has(parseBearer('c0')), known.has(parseBearer('c299')), known.has(parseBearer(undefined))]).toEqual([
      false,
      true,
      false,
    ]);
  });
});
