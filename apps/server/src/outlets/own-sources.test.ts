import { createLog, ownTicket } from '@weir/plane';
import { parseConfig } from '@weir/plane/config';
import { expect, it, vi } from 'vitest';
import { FakeClock } from '../core/clock.fixture.ts';
import { systemClock } from '../core/clock.ts';
import { Events } from '../core/events.ts';
import { FakeMediaServer } from '../media-server/fake-media-server.fixture.ts';
import { LiveInputs } from './live-inputs.ts';
import { OwnEndpoints } from './own-endpoints.ts';
import { OwnSources } from './own-sources.ts';

const ownToken = 'own-token';
const clock = new FakeClock('2026-03-01');
const ticket = ownTicket(ownToken, clock.dateMs());

function open({ waitMs = 0, env = {} }: { waitMs?: number; env?: Record<string, string> } = {}) {
  const log = createLog('test', 'error');
  log.level = 'silent';
  const events = new Events(log);
  const config = parseConfig({ CANDIDATE: 'studio.test', ...env }, { cwd: '/', version: '1' });
  const mediaServer = new FakeMediaServer();
  const doors = new OwnEndpoints({ config, mediaServer });
  const inputs = new LiveInputs({ events, mediaServer, doors, srtPassphrase: '', ownToken, clock: systemClock });
  return { events, own: new OwnSources({ doors, inputs, ownToken, clock, waitMs }) };
}

it.each([
  ['rtmp://studio.test/live/show', `rtmp://127.0.0.1:1935/live/show?weir-own=${ticket}`],
  ['rtmp://studio.test/live/show.flv', `rtmp://127.0.0.1:1935/live/show?weir-own=${ticket}`],
  ['rtmp://localhost/live/show?vhost=a.test', `rtmp://127.0.0.1:1935/live/show?vhost=a.test&weir-own=${ticket}`],
  ['http://studio.test:2022/live/show.flv', `http://127.0.0.1:2022/live/show.flv?weir-own=${ticket}`],
  ['https://studio.test:2443/live/show.m3u8?a=b#c', `http://127.0.0.1:2022/live/show.m3u8?a=b&weir-own=${ticket}`],
  [
    'srt://studio.test:10080?streamid=#!::r=live/show,m=request&latency=20',
    `srt://127.0.0.1:10080?streamid=#!::r=live/show,m=request,weir-own=${ticket}&latency=20`,
  ],
  ['srt://localhost:10080?streamid=show', `srt://127.0.0.1:10080?streamid=show,weir-own=${ticket}`],
  ['srt://localhost:10080', `srt://127.0.0.1:10080?streamid=,weir-own=${ticket}`],
  ['rtmp://other.test/live/show', undefined],
  ['http://studio.test:8080/live/show.flv', undefined],
  ['rtsp://studio.test/show', undefined],
])('reads %s over loopback at %s', async (url, inside) => {
  expect(await open().own.inside(url)).toBe(inside);
});

it('reads our own streams where the engine listens', async () => {
  const { own } = open({ env: { MGMT_LISTEN: '10.1.2.3:80' } });
  expect(await own.inside('http://studio.test/live/a.flv')).toBe(`http://10.1.2.3:80/live/a.flv?weir-own=${ticket}`);
});

it('waits for a publisher that comes a moment later, but no longer than players wait', async () => {
  vi.useFakeTimers();
  try {
    const { events, own } = open({ waitMs: 30_000 });
    const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show', param: '' };
    const stream = { ...place, serverId: 's', clientId: 'c', publishedAt: '2026-01-01T00:00:00.000Z' };
    const asked = own.isLive('http://studio.test:2022/live/show.m3u8');
    await vi.advanceTimersByTimeAsync(29_000);
    events.emit('stream:published', { ...stream, stream: 'other' });
    events.emit('stream:published', stream);
    expect(await asked).toBe(true);
    expect(await own.isLive('rtmp://studio.test/live/show')).toBe(true);
    events.emit('stream:ended', stream);
    await vi.advanceTimersByTimeAsync(1);
    const late = own.isLive('rtmp://studio.test/live/show');
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await late).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
