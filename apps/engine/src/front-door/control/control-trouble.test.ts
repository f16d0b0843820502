import type { ServerResponse } from 'node:http';
import { createLog } from '@weir/plane';
import { describe, expect, test, vi } from 'vitest';
import { dial, ended, get, openFrontDoor, startControl, stopControl } from '../front-door.fixture.ts';

describe('ControlProxy with a failing control plane', () => {
  test('answers 503 with Retry-After while it is down, and works again afterwards', async () => {
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

  test('shows browsers a page in their language that reloads by itself while it is down', async () => {
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

  test('answers 503 when it closes before answering', async () => {
    const { port } = await openFrontDoor({}, (req) => req.socket.destroy());
    expect(await get(port, '/terraform/v1/x')).toMatchObject({ status: 503 });
    expect(await get(port, '/terraform/v1/x', { method: 'POST', body: 'x' })).toMatchObject({ status: 503 });
  });

  test('repeats a GET on a new connection when the old one was just closed, but not a POST', async () => {
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

  test('answers 504 when it accepts and never answers, also after a complete body', async () => {
    const left = vi.fn();
    const { port } = await openFrontDoor({ limits: { answerMs: 100 } }, (req) => {
      req.resume().socket.once('close', left);
    });
    expect(await get(port, '/terraform/v1/x')).toMatchObject({ status: 504 });
    expect(await get(port, '/terraform/v1/x', { method: 'POST', body: 'hello' })).toMatchObject({ status: 504 });
    await vi.waitFor(() => expect(left).toHaveBeenCalledTimes(2));
  });

  test('answers 503 when it goes down during an upload, reads the rest and keeps the connection usable', async () => {
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

  test('answers 502 to a response that is not HTTP', async () => {
    const { port } = await openFrontDoor({}, (req) => req.socket.end('NONSENSE\r\n\r\n'));
    expect(await get(port, '/terraform/v1/x')).toMatchObject({ status: 502 });
  });

  test('answers 503 at once above the limit of requests, and accepts requests again afterwards', async () => {
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

  test('does not let one client address use every request slot', async () => {
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
