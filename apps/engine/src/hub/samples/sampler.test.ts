import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ClientEntry } from '../clients/clients.ts';
import { audioConfig, client, picture, place, sound, videoConfig } from '../frames.fixture.ts';
import { Hub } from '../hub.ts';
import { Sampler } from './sampler.ts';

const startMs = Date.UTC(2026, 0, 1);
let hub: Hub;
let sampler: Sampler;
const machine = () => ({ cpu: 0.5, engineCpu: 0.25, memory: 0.75 });

beforeEach(() => {
  vi.useFakeTimers({ now: startMs });
  hub = new Hub({ returnMs: 15_000 });
  sampler = new Sampler({ hub, machine });
});
afterEach(() => {
  sampler.close();
  hub.close();
  vi.useRealTimers();
});

function publish(entry: ClientEntry = client()) {
  const stream = hub.open(place);
  const publication = stream?.publish(entry);
  if (!stream || !publication) throw new Error('not open');
  hub.clients.add(entry);
  publication.config(videoConfig);
  publication.config(audioConfig);
  return { stream, publication };
}

/** Seconds of 25 pictures of 1,000 bytes and 50 frames of sound, as they arrive. */
function stream(publication: ReturnType<typeof publish>['publication'], seconds: number, fromMs: number) {
  for (let ms = 0; ms < seconds * 1000; ms += 20) {
    if (ms % 40 === 0) publication.frame(picture(fromMs + ms, (fromMs + ms) % 2000 === 0, 1000));
    publication.frame(sound(fromMs + ms, 100));
    vi.advanceTimersByTime(20);
  }
}

const columnsOf = () => sampler.find('live/one')?.series.seconds(0).columns;

it('measures the arriving media once a second', () => {
  const { publication } = publish();
  hub.clients.add(client('flv-play'));
  hub.clients.add(client('hls-play'));
  stream(publication, 10, 0);
  const columns = columnsOf();
  expect(columns?.inKbps.slice(2)).toEqual(Array(columns?.inKbps.slice(2).length).fill(240));
  expect(columns?.fps.at(-1)).toBe(25);
  expect(columns?.audioKbps.at(-1)).toBe(40);
  expect(columns?.pace.at(-1)).toBe(1);
  expect(columns?.keyframeMs.at(-1)).toBe(2000);
  expect(Math.abs(columns?.avOffsetMs.at(-1) ?? 99)).toBeLessThan(40);
  expect(columns?.jumps.some((jumps) => jumps !== 0)).toBe(false);
  expect([columns?.flv.at(-1), columns?.hls.at(-1), columns?.rtc.at(-1)]).toEqual([1, 1, 0]);
  expect(columns?.rttMs.at(-1)).toBeNull();
  const { columns: server } = sampler.latest();
  expect(server).toMatchObject({ inKbps: [240], streams: [1], flv: [1], hls: [1], cpu: [0.5], memory: [0.75] });
});

it('does not take the burst at the start of a publisher for its bitrate', () => {
  const { publication } = publish();
  vi.advanceTimersByTime(1000);
  for (let ms = 0; ms < 4000; ms += 40) publication.frame(picture(ms, ms % 2000 === 0, 1000));
  stream(publication, 4, 4000);
  const rates = columnsOf()?.inKbps ?? [];
  expect(rates).toContain(null);
  expect(rates.filter((rate) => rate !== null).length).toBeGreaterThan(0);
  for (const rate of rates) expect(rate ?? 240).toBe(240);
});

it('reports overdue keyframes before the next one arrives', () => {
  const { publication } = publish();
  publication.frame(picture(0, true));
  for (let ms = 40; ms < 8000; ms += 40) {
    publication.frame(picture(ms));
    vi.advanceTimersByTime(40);
  }
  expect(columnsOf()?.keyframeMs.at(-1)).toBeGreaterThan(6000);
});

it('reports gaps, silence, dropped frames and the state of the publisher connection', () => {
  const facts = { rttMs: 80, packetsReceived: 0, packetsLost: 0 };
  const entry = { ...client('srt-publish'), transport: () => facts };
  const { publication } = publish(entry);
  const viewer = client('rtmp-play');
  hub.clients.add(viewer);
  stream(publication, 2, 0);
  viewer.counters.droppedFrames = 7;
  Object.assign(facts, { packetsReceived: 90, packetsLost: 10 });
  publication.frame(picture(5500, true));
  publication.frame(sound(1900, 4));
  vi.advanceTimersByTime(1000);
  const columns = columnsOf();
  expect(columns?.jumps.at(-1)).toBe(2);
  expect(columns?.dropped.at(-1)).toBe(7);
  expect(columns?.silence.at(-1)).toBe(1);
  expect([columns?.rttMs.at(-1), columns?.lossPercent.at(-1)]).toEqual([80, 10]);
  vi.advanceTimersByTime(1000);
  expect(columnsOf()?.dropped.at(-1)).toBe(0);
  expect(columnsOf()?.pace.at(-1)).toBe(0);
});

it('reports no loss during a blackout, and accepts timestamps that continued with the clock', () => {
  let facts = { rttMs: 80, packetsReceived: 0, packetsLost: 0 };
  const { publication } = publish({ ...client('rtc-publish'), transport: () => facts });
  stream(publication, 2, 0);
  facts = { rttMs: 80, packetsReceived: 190, packetsLost: 10 };
  vi.advanceTimersByTime(1000);
  expect(columnsOf()?.lossPercent.at(-1)).toBe(5);
  vi.advanceTimersByTime(4000);
  expect(columnsOf()?.lossPercent.at(-1)).toBeNull();
  publication.frame(picture(7000, true));
  publication.frame(sound(7000, 4));
  // A packet that was only late takes back that it was counted as lost.
  facts = { rttMs: 80, packetsReceived: 290, packetsLost: 9 };
  vi.advanceTimersByTime(1000);
  expect(columnsOf()?.lossPercent.at(-1)).toBe(0);
  expect(columnsOf()?.jumps).not.toContain(1);
  expect(columnsOf()?.jumps).not.toContain(2);
});

it('combines seconds into minutes, and keeps those of an ended stream until they are queried', () => {
  const { publication, stream: opened } = publish();
  stream(publication, 70, 0);
  const minutes = () => sampler.find('live/one')?.series.minutes(0);
  expect(minutes()?.at).toEqual([startMs]);
  expect(minutes()?.columns.inKbps[0]).toBeCloseTo(240, -1);
  publication.end();
  opened.close();
  vi.advanceTimersByTime(60_000);
  expect(minutes()?.at).toEqual([startMs, startMs + 60_000]);
  vi.advanceTimersByTime(200_000);
  expect(sampler.find('live/one')).toBeUndefined();
});

it('continues the measurements of a publisher that returns', () => {
  const { publication, stream: opened } = publish();
  stream(publication, 5, 0);
  publication.end();
  opened.close();
  vi.advanceTimersByTime(3000);
  const again = publish();
  stream(again.publication, 5, 0);
  const table = sampler.find('live/one')?.series.seconds(0);
  expect(table?.at.length).toBeGreaterThan(7);
  const rates = table?.columns.inKbps.filter((kbps) => kbps !== null) ?? [];
  expect(rates.length).toBeGreaterThan(3);
  for (const rate of rates) expect(rate).toBeLessThan(300);
});

it('runs only while a stream is live or somebody queries it', () => {
  expect(vi.getTimerCount()).toBe(0);
  sampler.extend();
  expect(sampler.latest().columns.cpu).toEqual([0.5]);
  vi.advanceTimersByTime(20_000);
  expect(vi.getTimerCount()).toBe(0);
  sampler.glance();
  expect(vi.getTimerCount()).toBe(0);
  expect(sampler.latest().at).toEqual([startMs + 20_000]);
});

it('keeps five minutes of seconds, whatever the clock does', () => {
  const { publication } = publish();
  for (let second = 0; second < 400; second += 1) {
    publication.frame(picture(second * 1000, true));
    vi.advanceTimersByTime(1000);
  }
  expect(sampler.find('live/one')?.series.seconds(0).at).toHaveLength(300);
  vi.setSystemTime(startMs - 3_600_000);
  vi.advanceTimersByTime(3000);
  expect(sampler.find('live/one')?.series.seconds(0).at.at(-1)).toBeLessThan(startMs);
});
