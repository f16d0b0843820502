import { expect, it } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { systemClock } from '../../core/clock.ts';
import { MemoryStore } from '../../core/store/memory-store.ts';
import { FakeMediaServer } from '../../media-server/fake-media-server.fixture.ts';
import { DiskTrend } from './disk-trend.ts';

const hourMs = 3600_000;

it('names the problems of this server, and none without data', async () => {
  let nowMs = Date.UTC(2026, 0, 1);
  const clock = { ...systemClock, dateMs: () => nowMs };
  const mediaServer = new FakeMediaServer();
  const { call } = await createReadyApp({ mediaServer, clock, env: { PLATFORM_DOCKER: 'on' } });
  const idsNow = async () => (await call('mgmt/server/diagnosis')).data.issues.map(({ id }: { id: string }) => id);
  expect(await idsNow()).toContain('candidate-missing');
  expect(await idsNow()).not.toContain('port-taken');
  mediaServer.listeners = [{ protocol: 'rtmp', port: 1935, ready: false, note: 'port-taken' }];
  expect(await idsNow()).toContain('port-taken');
  const { issues } = (await call('mgmt/server/diagnosis')).data;
  nowMs += hourMs;
  expect((await call('mgmt/server/diagnosis')).data.issues).toEqual(issues);
  mediaServer.isAway = true;
  expect(await call('mgmt/server/diagnosis')).toMatchObject({
    status: 200,
    data: { verdict: 'bad', issues: [{ id: 'engine-away' }, { id: 'candidate-missing' }] },
  });
});

it('reports the growth of disk usage after some hours, and drops samples of a wrong clock', async () => {
  let nowMs = Date.UTC(2026, 0, 1);
  let freeBytes = 100e9;
  const clock = { ...systemClock, dateMs: () => nowMs };
  const trend = new DiskTrend({ store: new MemoryStore(), clock, freeBytes: async () => freeBytes });
  expect(await trend.read()).toEqual({ bytesPerDay: undefined, newestMs: 0 });
  expect(await trend.fullInDays(60e9)).toBeUndefined();
  for (let hour = 0; hour < 100; hour += 1) {
    await trend.note();
    nowMs += hourMs;
    freeBytes -= 1e9;
  }
  expect((await trend.read()).bytesPerDay).toBeCloseTo(24e9);
  expect(await trend.fullInDays(60e9)).toBe(2.5);
  nowMs -= 10 * hourMs;
  expect((await trend.read()).newestMs).toBeGreaterThan(nowMs);
  await trend.note();
  expect((await trend.read()).newestMs).toBe(nowMs);
});
