import { samplePaths } from '@weir/streams';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { client, picture, place } from '../hub/frames.fixture.ts';
import { Hub } from '../hub/hub.ts';
import { Sampler } from '../hub/samples/sampler.ts';
import { sampleAnswers } from './sample-answers.ts';

let hub: Hub;
let sampler: Sampler;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
  hub = new Hub({ returnMs: 15_000 });
  sampler = new Sampler({ hub, machine: () => ({ cpu: 0, engineCpu: 0, memory: 0 }) });
});
afterEach(() => {
  sampler.close();
  hub.close();
  vi.useRealTimers();
});

const ask = (path: string, query = '') => sampleAnswers(hub, sampler)[path]?.(new URLSearchParams(query));

it('returns the last second of each live stream, and the viewers of one stream', () => {
  const publication = hub.open(place)?.publish(client());
  const [viewer, own] = [client('flv-play'), client('flv-play')];
  hub.clients.add(viewer);
  hub.clients.add({ ...own, info: { ...own.info, isOwn: true } });
  for (let ms = 0; ms < 3000; ms += 40) {
    publication?.frame(picture(ms, ms === 0));
    vi.advanceTimersByTime(40);
  }
  expect(ask(samplePaths.now)).toMatchObject({
    server: { columns: { streams: [1], flv: [1] } },
    streams: [{ app: 'live', stream: 'one', isLive: true, samples: { columns: { fps: [25], flv: [1] } } }],
  });
  expect(ask(samplePaths.stream, 'key=live/one')).toMatchObject({
    viewers: [{ id: viewer.info.id, protocol: 'flv', address: '127.0.0.1', rttMs: null }],
  });
  expect(ask(samplePaths.stream, 'key=live/two')).toBeUndefined();
});

it('returns minutes page by page after the one the caller names', () => {
  const publication = hub.open(place)?.publish(client());
  for (let second = 0; second < 20 * 60; second += 1) {
    publication?.frame(picture(second * 1000, true));
    vi.advanceTimersByTime(1000);
  }
  type Minutes = { streams: { samples: { at: number[] } }[] };
  const first = (ask(samplePaths.minutes, 'since=0') as Minutes).streams[0]?.samples.at ?? [];
  expect(first).toHaveLength(15);
  const rest = (ask(samplePaths.minutes, `since=${first.at(-1)}`) as Minutes).streams[0]?.samples.at ?? [];
  expect([first.length + rest.length, rest[0]]).toEqual([20, (first.at(-1) ?? 0) + 60_000]);
});
