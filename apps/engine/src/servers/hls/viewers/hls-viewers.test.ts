import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { Clients } from '../../../hub/clients/clients.ts';
import { Refused } from '../../../hub/clients/gate.ts';
import { FakeGate, FakeSource, publisherInfo, sample } from '../../../packagers/hls/hls-source.fixture.ts';
import { openHls, urisOf } from '../hls.fixture.ts';
import { HlsViewers, TooManyViewers } from './hls-viewers.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const perNetwork = { network: 3, site: 5, region: 6 };

function openViewers(options: { maxViewers?: number; maxFresh?: number; perNetwork?: typeof perNetwork } = {}) {
  const clients = new Clients();
  const gate = new FakeGate();
  const viewers = new HlsViewers({ gate, clients, elapsedMs: () => 0, ...options });
  const admit = (address: string, id = Clients.newId()) =>
    viewers.admit({ ...publisherInfo, kind: 'hls-play', id, address });
  return { viewers, clients, gate, admit };
}

it('a session of our own program is neither authorised nor reported', async () => {
  const { viewers, gate, clients } = openViewers();
  const played = vi.spyOn(gate, 'play');
  const stopped = vi.spyOn(gate, 'stop');
  const { entry } = await viewers.admit({ ...publisherInfo, kind: 'hls-play', id: Clients.newId(), isOwn: true });
  expect([...clients.all()].map(({ info }) => info.isOwn)).toEqual([true]);
  viewers.kick(entry.info.id);
  expect([played.mock.calls, stopped.mock.calls, clients.size]).toEqual([[], [], 0]);
});

it('a client that waits for an answer keeps its session, however long it takes', async () => {
  const { admit, viewers } = openViewers();
  const viewer = await admit('192.0.2.1');
  viewers.see(viewer.entry.info.id);
  viewer.waiting = 1;
  viewers.expire(60_000);
  expect(viewers.size).toBe(1);
  viewer.waiting = 0;
  viewers.expire(60_000);
  expect(viewers.size).toBe(0);
});

describe('S41: invented HLS sessions', () => {
  it('replace each other within their own network, and no others', async () => {
    const { admit, gate, viewers } = openViewers({ perNetwork });
    const viewer = await admit('198.51.100.1');
    const first = await admit('2001:db8:0:1::1');
    for (let n = 0; n < 5; n++) await admit(`2001:db8:0:1::${n}`);
    expect(gate.stopped[0]?.id).toBe(first.entry.info.id);
    expect(viewers.size).toBe(4);
    expect(viewers.see(viewer.entry.info.id)).toBe(viewer);
  });

  it('are refused when all sessions of their network are in use, while other viewers continue and join', async () => {
    const { admit, viewers } = openViewers({ perNetwork });
    const used = await Promise.all([1, 2, 3].map((n) => admit(`2001:db8:0:1::${n}`)));
    for (const { entry } of used) viewers.see(entry.info.id);
    await expect(admit('2001:db8:0:1::4')).rejects.toThrow(TooManyViewers);
    await admit('2001:db8:0:2::1');
    await admit('203.0.113.1');
    for (const { entry } of used) expect(viewers.see(entry.info.id)).toBeDefined();
    expect(viewers.kick('nobody')).toBe(false);
    expect(viewers.kick(used[0]?.entry.info.id ?? '')).toBe(true);
    await admit('2001:db8:0:1::4');
  });

  it('are limited while unused, from however many networks they come', async () => {
    const { admit, viewers } = openViewers({ maxFresh: 5 });
    const used = await admit('198.51.100.1');
    viewers.see(used.entry.info.id);
    for (let n = 0; n < 20; n++) await admit(`203.0.${n}.1`);
    expect(viewers.size).toBe(6);
    const viewer = await admit('192.0.2.1');
    expect(viewers.see(viewer.entry.info.id)).toBe(viewer);
    expect(viewers.see(used.entry.info.id)).toBe(used);
  });

  it('give their share back when they are refused, end or expire', async () => {
    const { admit, gate, viewers } = openViewers({ perNetwork });
    for (let round = 0; round < 3; round++) {
      gate.refusal = new Error('no');
      for (let n = 0; n < 10; n++) await expect(admit('192.0.2.1')).rejects.toThrow('no');
      gate.refusal = undefined;
      for (let n = 0; n < 3; n++) viewers.see((await admit('192.0.2.1')).entry.info.id);
      await expect(admit('192.0.2.1')).rejects.toThrow(TooManyViewers);
      viewers.expire(1_000_000);
    }
    expect(viewers.size).toBe(0);
  });

  it('cost little memory each, however long their addresses are', async () => {
    const { admit, viewers, gate } = openViewers();
    const invented = (n: number) => {
      const query = `hls_ctx=${n.toString(16).padStart(16, '0')}&x=${'y'.repeat(7000)}`;
      return { id: query.slice(8, 24), param: `?${query}`.slice(0, 500) };
    };
    await admit('192.0.2.1');
    collect();
    const before = process.memoryUsage().heapUsed;
    const count = 5000;
    for (let n = 0; n < count; n++) {
      const { id, param } = invented(n);
      await viewers.admit({ ...publisherInfo, kind: 'hls-play', id, param, address: `192.0.2.${n % 250}` });
      gate.played.length = 0;
    }
    collect();
    expect(viewers.size).toBe(count + 1);
    expect((process.memoryUsage().heapUsed - before) / count).toBeLessThan(4000);
  });

  it('are refused with 503, and only a part of a long query is stored', async () => {
    const settings = { noHlsCtx: false, shortSegments: true };
    const { source, get, gate, clients } = await openHls({ settings, perNetwork: { network: 1, site: 9, region: 9 } });
    source.play(sample(9));
    const long = `token=${'t'.repeat(3000)}`;
    const [uri = ''] = urisOf((await get(`/live/show.m3u8?${long}`)).text);
    expect(gate.played[0]?.param).toBe(`?${long}`.slice(0, 1024));
    expect([...clients.all()][0]?.info.param).toBe(gate.played[0]?.param);
    expect((await get(`/live/${uri}`)).status).toBe(200);
    expect((await get('/live/show.m3u8?hls_ctx=0123456789abcdef')).status).toBe(503);
    expect((await get(`/live/${uri}`)).status).toBe(200);
  });
});

describe('HLS sessions', () => {
  const settings = { noHlsCtx: false, shortSegments: true };

  it('counts one session per viewer, and ends it when it is silent', async () => {
    const { source, get, gate, sweep, clock, clients } = await openHls({ settings });
    source.play(sample(9));
    const master = await get('/live/show.m3u8?token=x%26y');
    expect(master.headers['cache-control']).toBe('no-cache');
    expect(master.text).toMatch(/^#EXTM3U\n.*\n#EXT-X-STREAM-INF:BANDWIDTH=\d+,.*RESOLUTION=160x120.*\nshow\.m3u8\?/);
    const [uri = ''] = urisOf(master.text);
    expect(uri).toMatch(/^show\.m3u8\?token=x%26y&hls_ctx=[0-9a-f]{16}$/);
    const media = await get(`/live/${uri}`);
    expect(media.text).toContain('#EXTINF');
    expect(media.headers['cache-control']).toBe('no-cache');
    expect(gate.played).toHaveLength(1);
    expect(gate.played[0]).toMatchObject({ kind: 'hls-play', address: '127.0.0.1', param: '?token=x%26y' });
    expect([...clients.all()][0]?.counters.bytesOut).toBe(media.body.length);
    expect(clients.size).toBe(1);
    clock.pass(9000);
    await get(`/live/${uri}`);
    clock.pass(9000);
    sweep();
    expect(gate.stopped).toEqual([]);
    clock.pass(1000);
    sweep();
    expect(gate.stopped).toHaveLength(1);
    expect(clients.size).toBe(0);
  });

  it('accepts a session of an earlier run as a new one', async () => {
    const { source, get, gate } = await openHls({ settings });
    source.play(sample(9));
    const path = '/live/show.m3u8?hls_ctx=0123456789abcdef';
    const answers = await Promise.all([get(path), get(path), get(path)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(gate.played.map(({ id }) => id)).toEqual(['0123456789abcdef']);
    expect((await get('/live/show.m3u8?hls_ctx=../x')).status).toBe(404);
  });

  it('accepts a player that was silent for long as a new one, and refuses one that was kicked', async () => {
    const { source, get, gate, sweep, clock, clients } = await openHls({ settings });
    source.play(sample(9));
    const [uri = ''] = urisOf((await get('/live/show.m3u8')).text);
    await get(`/live/${uri}`);
    clock.pass(60_000);
    sweep();
    expect([gate.stopped.length, clients.size]).toEqual([1, 0]);
    expect((await get(`/live/${uri}`)).status).toBe(200);
    clock.pass(9500);
    sweep();
    expect((await get(`/live/${uri}`)).status).toBe(200);
    expect([gate.played.length, gate.stopped.length, clients.size]).toEqual([2, 1, 1]);
    [...clients.all()][0]?.kick('sent away');
    expect((await get(`/live/${uri}`)).status).toBe(403);
  });

  it('lets players of long segments be silent for two segments', async () => {
    const { source, get, gate, sweep, clock } = await openHls({ settings: { noHlsCtx: false, shortSegments: false } });
    source.play(sample(13));
    const [uri = ''] = urisOf((await get('/live/show.m3u8')).text);
    await get(`/live/${uri}`);
    clock.pass(20_500);
    sweep();
    expect(gate.stopped).toEqual([]);
    clock.pass(1000);
    sweep();
    expect(gate.stopped).toHaveLength(1);
  });

  it('recognises a player that requests only segments, also on another connection', async () => {
    const { source, get, gate, sweep, clock, clients } = await openHls({ settings });
    source.play(sample(9));
    const [uri = ''] = urisOf((await get('/live/show.m3u8')).text);
    const media = await get(`/live/${uri}`);
    const [entry] = clients.all();
    for (const segment of urisOf(media.text)) {
      clock.pass(6000);
      const before = entry?.counters.bytesOut ?? 0;
      const { body } = await get(`/live/${segment}`);
      expect(entry?.counters.bytesOut).toBe(before + body.length);
      sweep();
    }
    expect(gate.stopped).toEqual([]);
  });

  it('ends a low-latency player ten seconds after its last answer, whatever it follows', async () => {
    const { source, get, gate, sweep, clock, heard } = await openHls({ settings });
    source.play(sample(9));
    const [uri = ''] = urisOf((await get('/live/show.ll.m3u8')).text);
    const first = get(`/live/${uri}`);
    await heard();
    // Parts are made from now on.
    source.play(sample(9), 9000);
    await first;
    clock.pass(9000);
    const { text } = await get(`/live/${uri}`);
    const [, sequence, part] = /HINT:TYPE=PART,URI="[^"]*\.ll-(\d+)-(\d+)\.m4s"/.exec(text) ?? [];
    const waiting = get(`/live/${uri}&_HLS_msn=${sequence}&_HLS_part=${part}`);
    await heard();
    clock.pass(5000);
    sweep();
    source.play({ configs: [], frames: sample(9).frames.slice(0, 60) }, 18_000);
    expect((await waiting).status).toBe(200);
    clock.pass(6000);
    sweep();
    expect(gate.stopped).toEqual([]);
    clock.pass(4100);
    sweep();
    expect(gate.stopped).toHaveLength(1);
  });

  it('refuses the session of another stream', async () => {
    const { source, streams, clock, get } = await openHls({ settings });
    const other = new FakeSource(clock, 'live', 'other');
    streams.follow(other);
    source.play(sample(9));
    other.play(sample(9));
    const [uri = ''] = urisOf((await get('/live/show.m3u8')).text);
    expect((await get(`/live/${uri.replace('show', 'other')}`)).status).toBe(404);
  });

  it('reports viewers that are refused, kicked or above the limit', async () => {
    const { source, get, gate, clients } = await openHls({ settings, maxViewers: 1 });
    source.play(sample(9));
    gate.refusal = new Refused('not for you');
    const refused = await get('/live/show.m3u8');
    expect(refused.status).toBe(403);
    expect(JSON.parse(refused.text)).toEqual({ code: 3000, data: { message: 'not for you' } });
    gate.refusal = undefined;
    const [unused = ''] = urisOf((await get('/live/show.m3u8')).text);
    const [uri = ''] = urisOf((await get('/live/show.m3u8')).text);
    expect(gate.stopped.map(({ id }) => id)).toEqual([unused.slice(-16)]);
    expect((await get(`/live/${uri}`)).status).toBe(200);
    expect((await get('/live/show.m3u8')).status).toBe(503);
    [...clients.all()][0]?.kick('sent away');
    expect((await get(`/live/${uri}`)).status).toBe(403);
    expect(gate.stopped).toHaveLength(2);
  });
});
