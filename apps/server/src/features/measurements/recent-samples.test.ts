import { placeText } from '@weir/streams';
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '../../core/clock.ts';
import { FakeMediaServer } from '../../media-server/fake-media-server.fixture.ts';
import { RecentSamples } from './recent-samples.ts';

const place = { vhost: '__defaultVhost__', app: 'live', stream: 'show' };
const startMs = Date.UTC(2026, 0, 1);
let recent: RecentSamples | undefined;
afterEach(() => recent?.close());

function open() {
  const mediaServer = new FakeMediaServer();
  const asked: number[] = [];
  const all: { at: number[]; columns: { inKbps: number[] } } = { at: [], columns: { inKbps: [] } };
  let seconds = 0;
  let backMs = 0;
  let looks = 0;
  const show = (streams: readonly string[]) => {
    const live = streams.map((stream) => ({ ...place, stream, isLive: true, samples: all }));
    mediaServer.samples = { server: { at: [], columns: {} }, streams: live };
  };
  show(['show']);
  const clock = {
    ...systemClock,
    dateMs: () => startMs + seconds * 1000 - backMs,
    elapsedMs: () => (seconds + looks) * 1000,
  };
  const ask = (sinceMs: number) => {
    asked.push(sinceMs);
    return mediaServer.recentSamples(sinceMs);
  };
  recent = new RecentSamples({ mediaServer: { recentSamples: ask }, clock });
  const pass = (more: number) => {
    for (let n = 0; n < more; n += 1) {
      seconds += 1;
      all.at.push(startMs + seconds * 1000);
      all.columns.inKbps.push(seconds);
    }
  };
  const back = (ms: number) => {
    backMs += ms;
    looks += 1;
  };
  return { pass, show, asked, back, read: recent.read.bind(recent) };
}

it('reads the samples of the engine page by page, then only new ones, and keeps five minutes', async () => {
  const { pass, asked, read } = open();
  pass(100);
  expect((await read()).get(placeText(place))?.at).toHaveLength(100);
  expect(asked).toHaveLength(4);
  // A second reader in the same second causes no query.
  await read();
  expect(asked).toHaveLength(4);
  pass(5);
  const kept = (await read()).get(placeText(place));
  expect(asked.slice(4)).toEqual([startMs + 100_000]);
  expect(kept?.columns.inKbps).toEqual(Array.from({ length: 105 }, (_, index) => index + 1));
  expect(kept?.columns.fps.every((value) => value === null)).toBe(true);
  pass(400);
  const later = (await read()).get(placeText(place));
  expect(later?.at).toHaveLength(300);
  expect(later?.columns.inKbps.at(-1)).toBe(505);
});

it('drops streams that are over, and samples from before a clock was set back', async () => {
  const { pass, show, read, back } = open();
  pass(10);
  show(['show', 'other']);
  expect([...(await read()).keys()]).toHaveLength(2);
  show(['show']);
  pass(2);
  expect([...(await read()).keys()]).toEqual([placeText(place)]);
  back(3600_000);
  show([]);
  expect([...(await read()).keys()]).toEqual([]);
});
