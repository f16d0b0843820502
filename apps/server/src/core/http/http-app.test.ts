import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { systemApi, talkApi, talkLimits } from '@weir/contract';
import { createLog } from '@weir/plane';
import { afterEach, expect, it, vi } from 'vitest';
import { HttpApp } from './http-app.ts';

const clients: Socket[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
});

/** Starts one call that waits for `end`, and one whose body never ends. */
async function serve() {
  const http = new HttpApp(createLog('test', 'error'), { authorise: () => Promise.reject(new Error('nobody')) });
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const slow = vi.fn(() => promise.then(() => ({ is: 'whole' })));
  const onBody = vi.fn(async () => ({}));
  const onHanging = vi.fn();
  http.fastify.addHook('onRequest', async ({ url }) => void (url === '/body' && onHanging()));
  http.fastify.get('/slow', slow);
  http.fastify.post('/body', onBody);
  await http.fastify.listen({ port: 0, host: '127.0.0.1' });
  const { port } = http.fastify.server.address() as AddressInfo;
  const hanging = connect(port, '127.0.0.1').on('error', () => undefined);
  clients.push(hanging);
  hanging.write('POST /body HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{');
  const answer = fetch(`http://127.0.0.1:${port}/slow`).then((response) => response.text());
  await vi.waitFor(() => expect([onHanging, slow].map(({ mock }) => mock.calls.length)).toEqual([1, 1]));
  return { http, end, answer, hanging, onBody };
}

it('sends whole answers to waiting clients before it closes', async () => {
  const { http, end, answer, hanging } = await serve();
  const closed = http.close(60_000);
  end();
  expect(await answer).toBe('{"is":"whole"}');
  hanging.destroy();
  await closed;
});

it('closes soon although a client never finishes its request', async () => {
  const { http, end, answer, hanging, onBody } = await serve();
  end();
  await answer;
  const gone = once(hanging, 'close');
  await http.close(50);
  await gone;
  expect(onBody).not.toHaveBeenCalled();
});

it('refuses more than a few large bodies at a time, but reads small ones meanwhile and the next large one later', async () => {
  const http = new HttpApp(createLog('test', 'error'), { authorise: () => Promise.reject(new Error('nobody')) });
  http.route(talkApi.upload, async ({ rid }) => ({ rid, asr: '' }), { bodyBytes: talkLimits.bodyBytes });
  await http.fastify.listen({ port: 0, host: '127.0.0.1' });
  const { port } = http.fastify.server.address() as AddressInfo;
  const send = async (characters: number) => {
    const body = JSON.stringify({ roomToken: 'x', rid: 'r', audio: 'x'.repeat(characters) });
    return (await fetch(`http://127.0.0.1:${port}${talkApi.upload.path}`, { method: 'POST', body })).status;
  };
  const begun = Array.from({ length: 8 }, () => {
    const client = connect(port, '127.0.0.1').on('error', () => undefined);
    clients.push(client);
    client.write(`POST ${talkApi.upload.path} HTTP/1.1\r\nHost: a\r\nContent-Length: 8000000\r\n\r\n{`);
    return client;
  });
  await vi.waitFor(async () => expect(await send(2_000_000)).toBe(503));
  expect(await send(1000)).toBe(200);
  for (const client of begun) client.destroy();
  await vi.waitFor(async () => expect(await send(2_000_000)).toBe(200));
  await http.close();
});

it('S49: slow bodies without a token keep no guest out, and the reason of a refusal is the crowd', async () => {
  const http = new HttpApp(createLog('test', 'error'), { authorise: () => Promise.reject(new Error('nobody')) });
  const knowsGuest = async (headers: IncomingHttpHeaders) => (headers['x-room-token'] === 'right' ? true : undefined);
  const limits = { bodyBytes: talkLimits.bodyBytes, knowsGuest };
  http.route(talkApi.upload, async ({ rid }) => ({ rid, asr: '' }), limits);
  await http.fastify.listen({ port: 0, host: '127.0.0.1' });
  const { port } = http.fastify.server.address() as AddressInfo;
  const send = async (headers: Record<string, string> = {}) => {
    const body = JSON.stringify({ roomToken: 'x', rid: 'r', audio: 'x'.repeat(2_000_000) });
    const answer = await fetch(`http://127.0.0.1:${port}${talkApi.upload.path}`, { method: 'POST', headers, body });
    return { status: answer.status, text: await answer.text() };
  };
  for (let n = 0; n < 8; n++) {
    const client = connect(port, '127.0.0.1').on('error', () => undefined);
    clients.push(client);
    client.write(`POST ${talkApi.upload.path} HTTP/1.1\r\nHost: a\r\nContent-Length: 8000000\r\n\r\n{`);
  }
  await vi.waitFor(async () => expect((await send()).status).toBe(503));
  expect((await send()).text).toContain('too many large requests at once');
  for (let n = 0; n < 3; n++) expect((await send({ 'x-room-token': 'right' })).status).toBe(200);
  await http.close(50);
});

it('serializes an answer for several callers once, and again when it changed', async () => {
  const http = new HttpApp(createLog('test', 'error'), { authorise: () => Promise.reject(new Error('nobody')) });
  const toJSON = vi.fn(() => ({ version: '<1>' }));
  let data = { version: '', toJSON };
  http.route(systemApi.versions, () => data, { isShared: true });
  const ask = async () => (await http.fastify.inject(systemApi.versions.path)).body;
  const first = await ask();
  expect(first).toContain('"data":{"version":"\\u003c1\\u003e"}');
  expect([await ask(), toJSON.mock.calls.length]).toEqual([first, 1]);
  data = { ...data };
  expect([await ask(), toJSON.mock.calls.length]).toEqual([first, 2]);
  await http.close();
});
