import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Edge } from '@weir/contract';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { MemoryStore } from '../../core/store/memory-store.ts';
import { FakeMediaServer } from '../../media-server/fake-media-server.fixture.ts';

type Server = Awaited<ReturnType<typeof createReadyApp>>;

const queryOf = async ({ call }: Server): Promise<{ edges: Edge[]; token: string }> =>
  (await call('mgmt/edges/query')).data;

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await vi.waitFor(() => expect(server.listening).toBe(true));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const always = (status: number, body = '') => listen((_, response) => response.writeHead(status).end(body));

describe('edges', () => {
  it('have a token from the first one on, which the engine receives at once and at its start', async () => {
    const [store, mediaServer] = [new MemoryStore(), new FakeMediaServer()];
    const server = await createReadyApp({ store, mediaServer });
    expect(await queryOf(server)).toEqual({ edges: [], token: '' });
    const body = { edges: ['https://e1.example/', 'https://e1.example', ' http://10.0.0.7:8080/cdn// '] };
    expect(await server.call('mgmt/edges/update', body)).toMatchObject({ code: 0 });
    const { edges, token } = await queryOf(server);
    expect(edges.map(({ url }) => url)).toEqual(['https://e1.example', 'http://10.0.0.7:8080/cdn']);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(mediaServer.applied).toContainEqual({ edgeToken: token });
    const renewed = (await server.call('mgmt/edges/token')).data.token;
    expect(renewed).not.toBe(token);
    expect(mediaServer.applied.at(-1)).toEqual({ edgeToken: renewed });
    await server.call('mgmt/edges/update', { edges: [] });
    expect(await queryOf(server)).toEqual({ edges: [], token: renewed });
    const next = new FakeMediaServer();
    await createReadyApp({ store, mediaServer: next });
    await vi.waitFor(() => expect(next.applied).toContainEqual({ edgeToken: renewed }));
  });

  it.each(['ftp://e.example', 'https://a:b@e.example', 'https://e.example/?x', 'e.example', '', 'http://e.example/#x'])(
    'are refused when given as %j',
    async (url) => {
      const server = await createReadyApp({ mediaServer: new FakeMediaServer() });
      expect((await server.call('mgmt/edges/update', { edges: [url] })).code).not.toBe(0);
      expect((await queryOf(server)).edges).toEqual([]);
    },
  );

  it('keep their token when the engine refuses a new one', async () => {
    const mediaServer = new FakeMediaServer();
    const server = await createReadyApp({ mediaServer });
    await server.call('mgmt/edges/update', { edges: ['https://e1.example'] });
    const { token } = await queryOf(server);
    mediaServer.isAway = true;
    expect((await server.call('mgmt/edges/token')).status).toBe(502);
    expect((await queryOf(server)).token).toBe(token);
  });

  it('are checked, and report why they fail', async () => {
    const asked: string[] = [];
    const good = await listen(({ url = '' }, response) => {
      asked.push(url);
      response.end('#EXTM3U\n');
    });
    const bad = await Promise.all([always(403), always(404), always(200, 'a page'), always(502), always(302)]);
    const server = await createReadyApp({ mediaServer: new FakeMediaServer() });
    await server.call('mgmt/edges/update', { edges: [good, ...bad, 'http://127.0.0.1:1', 'http://169.254.1.1'] });
    await vi.waitFor(async () =>
      expect((await queryOf(server)).edges.map(({ state }) => state)).not.toContain('unchecked'),
    );
    const { edges } = await queryOf(server);
    expect(edges.map(({ failure }) => failure)).toEqual([
      '',
      'token',
      'no-edge',
      'no-edge',
      'origin',
      'no-edge',
      'no-connection',
      'forbidden',
    ]);
    expect(edges[0]).toMatchObject({ state: 'ok', checkedAt: expect.stringMatching(/Z$/) });
    expect(asked).toEqual(['/weir-edge.m3u8']);
  });

  it('receive the HLS viewers from a load balancer without servers of its own, unless they fail', async () => {
    const good = await listen((_, response) => response.end('#EXTM3U\n'));
    const failing = await always(502);
    const server = await createReadyApp({ mediaServer: new FakeMediaServer() });
    await server.call('mgmt/edges/update', { edges: [failing, good] });
    await vi.waitFor(async () => expect((await queryOf(server)).edges.every(({ checkedAt }) => checkedAt)).toBe(true));
    const balance = async (name: string) =>
      await server.inject({ method: 'GET', url: `/terraform/v1/mgmt/dns/lb/live/${name}` });
    for (let times = 0; times < 20; times++) {
      expect((await balance('show.m3u8')).headers.location).toBe(`${good}/live/show.m3u8`);
    }
    expect((await balance('show.flv')).statusCode).not.toBe(302);
    await server.call('mgmt/dns/backend/update', { backends: ['other.example'] });
    expect((await balance('show.m3u8')).headers.location).toBe('http://other.example/live/show.m3u8');
  });
});
