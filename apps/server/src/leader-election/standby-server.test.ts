import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { standbyServer } from './standby-server.ts';

/** Requests that reached the leader. */
const seen: { method: string; url: string; headers: Record<string, unknown>; body: string }[] = [];
let target: string | undefined;
let leader: Server;
let standby: Server;
let origin: string;

async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  leader = createServer(async (req, res) => {
    let body = '';
    for await (const chunk of req) body += String(chunk);
    seen.push({ method: req.method ?? '', url: req.url ?? '', headers: req.headers, body });
    res.writeHead(201, { 'x-own': 'kept', 'x-weir-accepted': 'not for strangers' }).end(`answer to ${body.length}`);
  });
  target = await listen(leader);
  standby = standbyServer(() => target);
  origin = await listen(standby);
});
afterAll(() => {
  for (const server of [leader, standby]) {
    server.close();
    server.closeAllConnections();
  }
});

it('passes a call unchanged to the leader, and the answer back', async () => {
  const body = 'x'.repeat(300_000);
  const headers = { authorization: 'Bearer mine', 'x-weir-peer': 'direct', 'x-forwarded-for': '203.0.113.9' };
  const answer = await fetch(`${origin}/terraform/v1/any?query=1`, { method: 'POST', body, headers });
  expect([answer.status, await answer.text()]).toEqual([201, 'answer to 300000']);
  expect(answer.headers.get('x-own')).toBe('kept');
  expect(answer.headers.has('x-weir-accepted')).toBe(false);
  expect(seen.at(-1)).toMatchObject({ method: 'POST', url: '/terraform/v1/any?query=1', body });
  const { headers: told } = seen.at(-1) ?? { headers: {} };
  expect(told).toMatchObject({ authorization: 'Bearer mine', 'x-forwarded-for': '203.0.113.9' });
  expect(told).not.toHaveProperty('x-weir-peer');
});

it.each<[string, Record<string, string>, string]>([
  ['the engine beside it', { 'x-weir-hook': 'token' }, '/terraform/v1/hooks/srs/verify'],
  ['a call that was passed on before', { via: '1.1 weir-standby' }, '/terraform/v1/any'],
  ['whoever asks whether it leads', {}, '/terraform/v1/mgmt/lead?x=1'],
])('refuses %s', async (_who, headers, path) => {
  const before = seen.length;
  const answer = await fetch(`${origin}${path}`, { headers });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([500, '1']);
  expect(await answer.json()).toMatchObject({ code: 1007, data: { message: expect.any(String) } });
  expect(seen.length).toBe(before);
});

it('answers 1007 while there is no leader, and when the leader does not answer', async () => {
  for (const away of [undefined, 'http://127.0.0.1:1']) {
    target = away;
    const answer = await fetch(`${origin}/terraform/v1/any`, { method: 'POST', body: 'x' });
    expect(await answer.json()).toMatchObject({ code: 1007 });
  }
});
