import type { Alert } from '@weir/contract';
import { expect, it, vi } from 'vitest';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { FakeMediaServer } from '../../media-server/fake-media-server.fixture.ts';
import { RecordingRow } from '../record/library/recording-repository.ts';
import { gatherAlerts } from './alerts.ts';

const alert = (facts: Partial<Alert>): Alert => ({
  kind: 'output',
  severity: 'warn',
  since: '2026-01-01T00:00:00.000Z',
  count: 1,
  subject: '',
  label: '',
  cause: '',
  place: { page: 'scenario', tab: 'forward', child: '' },
  ...facts,
});

it('the alert list has the worst first, and a feature that cannot be asked hides no other alerts', async () => {
  const found = await gatherAlerts([
    { alerts: () => [alert({ subject: 'old' })] },
    { alerts: () => Promise.reject(new Error('the store is away')) },
    {
      alerts: () => {
        throw new Error('broken');
      },
    },
    { alerts: async () => [alert({ subject: 'new', since: '2026-01-02T00:00:00.000Z' })] },
    { alerts: () => [alert({ subject: 'bad', severity: 'bad' })] },
  ]);
  expect(found.map(({ subject }) => subject)).toEqual(['bad', 'new', 'old']);
});

const destination = {
  action: 'update',
  platform: 'wx',
  server: 'rtmp://127.0.0.1:8/live',
  secret: 'the-key',
  label: 'Sunday',
};

it('the status reports a failing forward, and clears it once it works', async () => {
  const { call, events } = await createReadyApp({ mediaServer: new FakeMediaServer() });
  const alerts = async (): Promise<Alert[]> => (await call('mgmt/status')).data.alerts;
  await call('ffmpeg/forward/secret', { ...destination, enabled: true });
  expect(await alerts()).toEqual([]);
  const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show', param: '', serverId: 's', clientId: 'c' };
  events.emit('stream:published', { ...place, publishedAt: new Date().toISOString() });
  await vi.waitFor(
    async () =>
      expect(await alerts()).toMatchObject([
        {
          kind: 'output',
          severity: 'bad',
          subject: 'wx',
          label: 'Sunday',
          place: { page: 'scenario', tab: 'forward' },
        },
      ]),
    { timeout: 20_000 },
  );
  expect(JSON.stringify(await alerts())).not.toContain('the-key');
  await call('ffmpeg/forward/secret', { ...destination, enabled: false });
  await vi.waitFor(async () => expect(await alerts()).toEqual([]));
});

it('the status reports a recording that could not be finished until it is removed', async () => {
  const { call, store } = await createReadyApp();
  const uuid = '7e64b1f2-2f0e-4a6f-9c3e-2d1a5a8c1b11';
  const row = { uuid, vhost: '__defaultVhost__', app: 'live', stream: 'show', state: 'failed', failure: 'ffmpeg' };
  const times = { startedAtMs: 1, endedAtMs: 2, updatedAtMs: 3 };
  await store.collection('recordings', RecordingRow).put(uuid, RecordingRow.parse({ ...row, ...times }));
  expect((await call('mgmt/status')).data.alerts).toMatchObject([{ kind: 'record-failed', subject: 'live/show' }]);
  expect((await call('hooks/record/remove', { uuid })).code).toBe(0);
  expect((await call('mgmt/status')).data.alerts).toEqual([]);
});

it('the status reports an engine process that ended, as serious when it ends repeatedly', async () => {
  const mediaServer = new FakeMediaServer();
  const { call } = await createReadyApp({ mediaServer });
  const alerts = async (): Promise<Alert[]> => (await call('mgmt/status')).data.alerts;
  expect(await alerts()).toEqual([]);
  const reason = 'ended by SIGKILL';
  const last = { at: '2026-01-01T00:00:00.000Z', wanted: false, code: null, signal: 'SIGKILL', reason };
  const exits = { worker: 'srt' as const, last };
  mediaServer.workerExits = [{ ...exits, count: 1 }];
  expect(await alerts()).toMatchObject([{ kind: 'worker', severity: 'warn', subject: 'srt', count: 1 }]);
  mediaServer.workerExits = [{ ...exits, count: 3 }];
  expect(await alerts()).toMatchObject([{ kind: 'worker', severity: 'bad', count: 3 }]);
  mediaServer.isAway = true;
  expect(await alerts()).toEqual([]);
});
