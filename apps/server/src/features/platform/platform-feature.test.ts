import { Homepage, MonthlyUse } from '@weir/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp } from '../../app.fixture.ts';
import { FakeClock } from '../../core/clock.fixture.ts';
import { MemoryStore } from '../../core/store/memory-store.ts';
import {
  backendTarget,
  isUpgradeDue,
  isWindowOpen,
  MonthlyHours,
  PlatformSettings,
  rootTarget,
} from './platform-feature.ts';

const api = '/terraform/v1/mgmt';
let server: Awaited<ReturnType<typeof createTestApp>>;
let bearer: Record<string, string>;
beforeAll(async () => {
  server = await createTestApp();
  bearer = { authorization: `Bearer ${(await server.setUp()).bearer}` };
});
afterAll(() => server.close());
const post = (path: string, body: object = {}) => server.post(`${api}/${path}`, body, bearer);
const locationOf = async (url: string) => (await server.inject({ method: 'GET', url })).headers.location;

describe('the upgrade window', () => {
  it.each([
    [{ start: 23, duration: 6 }, [23, 0, 4], [5, 22]],
    [{ start: 2, duration: 3 }, [2, 4], [1, 5]],
    [{ start: 7, duration: 24 }, [0, 6, 7, 23], []],
  ])('%j is open at %j and closed at %j', (window, open, closed) => {
    for (const hour of open) expect([hour, isWindowOpen(window, hour)]).toEqual([hour, true]);
    for (const hour of closed) expect([hour, isWindowOpen(window, hour)]).toEqual([hour, false]);
  });

  it('allows an upgrade only when automatic, to a newer version, and inside the window', () => {
    const window = { start: 2, duration: 3 };
    const newer = { running: 'v1.9.0', stable: 'v1.10.0' };
    expect(isUpgradeDue(newer, { strategy: 'auto', window }, 2)).toBe(true);
    expect(isUpgradeDue(newer, { strategy: 'auto', window }, 9)).toBe(false);
    expect(isUpgradeDue(newer, { strategy: 'manual', window }, 2)).toBe(false);
    expect(isUpgradeDue({ running: 'v2.0.0', stable: 'v1.10.0' }, { strategy: 'auto', window }, 2)).toBe(false);
    expect(isUpgradeDue({ running: 'v1.9.0', stable: 'v1.9.0' }, { strategy: 'auto', window }, 2)).toBe(false);
  });

  it('is applied by the version check as saved, by the clock of the server', async () => {
    const clock = new FakeClock();
    const settings = new PlatformSettings(new MemoryStore(), clock);
    const newer = { running: '1.9.0', stable: 'v1.10.0' };
    const dueHours = async () => {
      const due: number[] = [];
      for (let hour = 0; hour < 24; hour++) {
        clock.setDate(new Date(2026, 0, 1, hour));
        if ((await settings.upgrade(newer)).isDue) due.push(hour);
      }
      return due;
    };
    expect(await dueHours()).toEqual([]);
    await settings.setStrategy('auto');
    expect(await dueHours()).toEqual([0, 1, 2, 3, 4, 23]);
    await settings.change({ window: { start: 22, duration: 3 } });
    expect(await dueHours()).toEqual([0, 22, 23]);
    expect((await settings.upgrade({ running: '1.10.0', stable: 'v1.10.0' })).isDue).toBe(false);
    await settings.setStrategy('manual');
    expect(await dueHours()).toEqual([]);
  });

  it('is at least three hours, and the strategy shows in the status', async () => {
    expect((await post('window/query')).data).toMatchObject({ start: 23, duration: 6, strategy: 'manual' });
    expect((await post('window/update', { start: 0, duration: 3 })).code).toBe(0);
    expect((await post('window/update', { start: 0, duration: 2 })).code).toBe(1004);
    expect((await post('window/update', { start: 24, duration: 4 })).code).toBe(1004);
    expect((await post('window/update', { duration: 4 })).code).toBe(1000);
    expect((await post('window/query')).data).toMatchObject({ start: 0, duration: 3 });
    expect((await post('strategy')).data).toEqual({ strategy: 'auto' });
    expect((await post('status')).data).toMatchObject({ strategy: 'auto', upgradeDue: false });
    expect((await post('strategy', { strategy: 'auto' })).data).toEqual({ strategy: 'auto' });
    expect((await post('strategy')).data).toEqual({ strategy: 'manual' });
  });
});

describe('the homepage', () => {
  it('is the console until it is set, with the query of a set-up link', async () => {
    expect(await locationOf('/')).toBe('/mgmt');
    expect(await locationOf('/?code=x')).toBe('/mgmt/?code=x');
    expect(await locationOf('/index.html?a=b')).toBe('/mgmt');
  });

  it('redirects to the saved target for any request', async () => {
    await post('nginx/homepage', { homepage: 'https://example.com/start' });
    expect(await locationOf('/?url=https://evil.example/')).toBe('https://example.com/start');
    expect(await locationOf('/index.html')).toBe('https://example.com/start');
    await post('nginx/homepage', { homepage: '/mgmt/' });
    expect(await locationOf('/')).toBe('/mgmt');
  });

  it.each([
    '',
    '/',
    '/index.html',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    'evil.example',
    'http://u:p@h/',
    '/a\r\nb: c/../..',
  ])('refuses %j', (homepage) =>
    expect(Homepage.safeParse(homepage).success && rootTarget(homepage, '').includes('\n')).toBe(false),
  );

  it.each(['/', '//evil.example', '/\\evil.example', 'javascript:alert(1)', 'http://u:p@h/'])(
    'answers %j with 1004',
    async (homepage) => expect((await post('nginx/homepage', { homepage })).code).toBe(1004),
  );
});

describe('the load balancer', () => {
  const wanted = { app: 'live', stream: 'a b.flv', query: '', scheme: 'https' } as const;
  it.each([
    ['edge.example', '', 'https://edge.example/live/a%20b.flv'],
    ['edge.example:8080', 'x=1', 'https://edge.example:8080/live/a%20b.flv?x=1'],
    ['http://edge.example/cdn/', '', 'http://edge.example/cdn/live/a%20b.flv'],
    ['http://edge.example/live/main.m3u8', 'x=1', 'http://edge.example/live/main.m3u8?x=1'],
  ])('redirects to %s', (backend, query, target) => expect(backendTarget(backend, { ...wanted, query })).toBe(target));

  it('keeps the host of the request', () => {
    const target = backendTarget('edge.example', { ...wanted, app: '..', stream: '@evil.example/' });
    expect(new URL(target).host).toBe('edge.example');
  });

  it('is off without backends, and needs no credential', async () => {
    const off = await server.inject({ method: 'GET', url: `${api}/dns/lb/live/show.flv` });
    expect(off.json().code).toBe(1004);
    expect((await post('dns/backend/update', { backends: [] })).code).toBe(1000);
    expect((await post('dns/backend/update', { backends: ['ftp://edge'] })).code).toBe(1004);
    await post('dns/backend/update', { backends: ['edge.example:8080'] });
    expect(await locationOf(`${api}/dns/lb/live/show.flv?a=b`)).toBe('http://edge.example:8080/live/show.flv?a=b');
    await post('dns/backend/remove');
    expect((await post('dns/backend/query')).data).toEqual({ backends: [] });
  });
});

describe('the monthly hours', () => {
  it('are counted per publisher and viewer, saved, and start again each month', async () => {
    const store = new MemoryStore();
    const clock = new FakeClock(new Date(2026, 0, 31, 12));
    const hours = new MonthlyHours(store, clock);
    const live = [{ media: { viewers: 2 } }, {}];
    await hours.count(live);
    clock.pass(10_000);
    await hours.count(live);
    expect((await hours.query()).consumedDuration).toBe(40);
    clock.pass(3600_000);
    await hours.count(live);
    expect((await hours.query()).consumedDuration).toBe(40 + 240);
    expect((await new MonthlyHours(store, clock).query()).consumedDuration).toBe(40 + 240);
    const next = new Date(2026, 1, 1);
    clock.setDate(next);
    expect(await new MonthlyHours(store, clock).query()).toMatchObject({
      totalDuration: -1,
      consumedDuration: 0,
      startDate: next.toISOString(),
    });
  });

  it('refuse new publishers once they are used up, and none without a limit', async () => {
    const clock = new FakeClock(new Date(2026, 0, 1, 12));
    const hours = new MonthlyHours(new MemoryStore(), clock);
    await hours.count([{}]);
    clock.pass(60_000);
    await hours.count([{}]);
    await hours.assertLeft();
    await hours.limit(60);
    await expect(hours.assertLeft()).rejects.toMatchObject({ kind: 'publish_refused' });
    clock.setDate(new Date(2026, 1, 1));
    await hours.assertLeft();
  });

  it('refuse a publisher with the right secret, and report why', async () => {
    const { data } = await server.post('/terraform/v1/hooks/srs/secret/query', {}, bearer);
    const publish = { action: 'on_publish', vhost: '__defaultVhost__', app: 'live', stream: 'show' };
    const hook = { ...publish, param: `?secret=${data.publish}`, client_id: 'c', server_id: 's', ip: '1.2.3.4' };
    expect((await post('limit/update', { totalDuration: 0 })).code).toBe(1004);
    expect((await post('limit/update', { totalDuration: 3600 })).code).toBe(0);
    expect((await server.hook('verify', hook)).code).toBe(0);
    const at = new Date().toISOString();
    const used = { totalDuration: 3600, startDate: at, lastUpdateDate: at, consumedDuration: 3600 };
    await server.store.collection('monthly-hours', MonthlyUse).put('hours', used);
    const refused = await server.hook('verify', { ...hook, client_id: 'd', stream: 'late' });
    expect([refused.code, refused.data.message]).toEqual([3000, expect.stringContaining('hours of this month')]);
    await expect
      .poll(async () => (await post('streams/attempts')).data.attempts)
      .toEqual([expect.objectContaining({ stream: 'late', reason: 'hours-used' })]);
  });
});
