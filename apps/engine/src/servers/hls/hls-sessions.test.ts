import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { Clients } from '../../hub/clients/clients.ts';
import { FakeGate, openHls, publisherInfo, sample, urisOf } from './hls.fixture.ts';
import { HlsSessions, TooManySessions } from './hls-sessions.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const perNetwork = { network: 3, site: 5, region: 6 };

function openSessions(options: { maxSessions?: number; maxFresh?: number; perNetwork?: typeof perNetwork } = {}) {
  const clients = new Clients();
  const gate = new FakeGate();
  const sessions = new HlsSessions({ gate, clients, elapsedMs: () => 0, lifetimeMs: () => 60_000, ...options });
  const admit = (address: string, id = Clients.newId()) =>
    sessions.admit({ ...publisherInfo, kind: 'hls-play', id, address });
  return { sessions, clients, gate, admit };
}

it('a program of ours has a session, and nobody is asked or told about it', async () => {
  const { sessions, gate, clients } = openSessions();
  const played = vi.spyOn(gate, 'play');
  const stopped = vi.spyOn(gate, 'stop');
  const { entry } = await sessions.admit({ ...publisherInfo, kind: 'hls-play', id: Clients.newId(), isOwn: true });
  expect([...clients.all()].map(({ info }) => info.isOwn)).toEqual([true]);
  sessions.kick(entry.info.id);
  expect([played.mock.calls, stopped.mock.calls, clients.size]).toEqual([[], [], 0]);
});

describe('S41: sessions that somebody invents', () => {
  it('make room for each other in their own network, and for nobody else', async () => {
    const { admit, gate, sessions } = openSessions({ perNetwork });
    const viewer = await admit('198.51.100.1');
    const first = await admit('2001:db8:0:1::1');
    for (let n = 0; n < 5; n++) await admit(`2001:db8:0:1::${n}`);
    expect(gate.stopped[0]?.id).toBe(first.entry.info.id);
    expect(sessions.size).toBe(4);
    expect(sessions.see(viewer.entry.info.id)).toBe(viewer);
  });

  it('are refused when all of their network are in use, while real viewers go on and others come', async () => {
    const { admit, sessions } = openSessions({ perNetwork });
    const used = await Promise.all([1, 2, 3].map((n) => admit(`2001:db8:0:1::${n}`)));
    for (const { entry } of used) sessions.see(entry.info.id);
    await expect(admit('2001:db8:0:1::4')).rejects.toThrow(TooManySessions);
    await admit('2001:db8:0:2::1');
    await admit('203.0.113.1');
    for (const { entry } of used) expect(sessions.see(entry.info.id)).toBeDefined();
    sessions.kick(used[0]?.entry.info.id ?? '');
    await admit('2001:db8:0:1::4');
  });

  it('are few while nobody uses them, from however many networks they come', async () => {
    const { admit, sessions } = openSessions({ maxFresh: 5 });
    const used = await admit('198.51.100.1');
    sessions.see(used.entry.info.id);
    for (let n = 0; n < 20; n++) await admit(`203.0.${n}.1`);
    expect(sessions.size).toBe(6);
    const viewer = await admit('192.0.2.1');
    expect(sessions.see(viewer.entry.info.id)).toBe(viewer);
    expect(sessions.see(used.entry.info.id)).toBe(used);
  });

  it('give their share back when they are refused, end or expire', async () => {
    const { admit, gate, sessions } = openSessions({ perNetwork });
    for (let round = 0; round < 3; round++) {
      gate.refusal = new Error('no');
      for (let n = 0; n < 10; n++) await expect(admit('192.0.2.1')).rejects.toThrow('no');
      gate.refusal = undefined;
      for (let n = 0; n < 3; n++) sessions.see((await admit('192.0.2.1')).entry.info.id);
      await expect(admit('192.0.2.1')).rejects.toThrow(TooManySessions);
      sessions.expire(1_000_000);
    }
    expect(sessions.size).toBe(0);
  });

  it('cost little each, however long their addresses are', async () => {
    const { admit, sessions, gate } = openSessions();
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
      await sessions.admit({ ...publisherInfo, kind: 'hls-play', id, param, address: `192.0.2.${n % 250}` });
      gate.played.length = 0;
    }
    collect();
    expect(sessions.size).toBe(count + 1);
    expect((process.memoryUsage().heapUsed - before) / count).toBeLessThan(4000);
  });

  it('are told that the server is busy; of a long query a part is kept', async () => {
    const settings = { noHlsCtx: false, lowLatency: true };
    const { source, get, gate, hls } = await openHls({ settings, perNetwork: { network: 1, site: 9, region: 9 } });
    source.play(sample(9));
    const long = `token=${'t'.repeat(3000)}`;
    const [uri = ''] = urisOf((await get(`/live/show.m3u8?${long}`)).text);
    expect(gate.played[0]?.param).toBe(`?${long}`.slice(0, 1024));
    expect(hls.clients()[0]?.info.param).toBe(gate.played[0]?.param);
    expect((await get(`/live/${uri}`)).status).toBe(200);
    expect((await get('/live/show.m3u8?hls_ctx=0123456789abcdef')).status).toBe(503);
    expect((await get(`/live/${uri}`)).status).toBe(200);
  });
});
