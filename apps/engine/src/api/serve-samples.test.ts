import { engineApi } from '@weir/engine-api';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { client, picture, place } from '../hub/frames.fixture.ts';
import { Hub } from '../hub/hub.ts';
import { Sampler } from '../hub/samples/sampler.ts';
import { serveSamples } from './serve-samples.ts';
import { ServedCalls } from './served-calls.fixture.ts';

let hub: Hub;
let sampler: Sampler;
let api: ServedCalls;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
  hub = new Hub({ returnMs: 15_000 });
  sampler = new Sampler({ hub, machine: () => ({ cpu: 0, engineCpu: 0, memory: 0 }) });
  api = new ServedCalls();
  serveSamples(api, hub, sampler);
});
afterEach(() => {
  sampler.close();
  hub.close();
  vi.useRealTimers();
});

it('returns the last second of each live stream, and the viewers of one stream', () => {
  const publication = hub.open(place)?.publish(client());
  const [viewer, own] = [client('flv-play'), client('flv-play')];
  hub.clients.add(viewer);
  hub.clients.add({ ...own, info: { ...own.info, isOwn: true } });
  for (let ms = 0; ms < 3000; ms += 40) {
    publication?.frame(picture(ms, ms === 0));
    vi.advanceTimersByTime(40);
  }
  expect(api.call(engineApi.samples.now, {})).toMatchObject({
    server: { columns: { streams: [1], flv: [1] } },
    streams: [{ app: 'live', stream: 'one', isLive: true, samples: { columns: { fps: [25], flv: [1] } } }],
  });
  expect(api.call(engineApi.samples.stream, { key: 'live/one' })).toMatchObject({
    viewers: [{ id: viewer.info.id, protocol: 'flv', address: '127.0.0.1', rttMs: null }],
  });
  expect(api.call(engineApi.samples.stream, { key: 'live/two' })).toBeUndefined();
});

it('returns minutes page by page after the one the caller names', () => {
  const publication = hub.open(place)?.publish(client());
  for (let second = 0; second < 20 * 60; second += 1) {
    publication?.frame(picture(second * 1000, true));
    vi.advanceTimersByTime(1000);
  }
  const minutes = (since: number) => api.call(engineApi.samples.minutes, { since })?.streams[0]?.samples.at ?? [];
  const first = minutes(0);
  expect(first).toHaveLength(15);
  const rest = minutes(first.at(-1) ?? 0);
  expect([first.length + rest.length, rest[0]]).toEqual([20, (first.at(-1) ?? 0) + 60_000]);
});
