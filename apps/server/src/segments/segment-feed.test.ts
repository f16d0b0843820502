import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entryName, type FinishedSegment, segmentHookBody } from '@weir/engine-api';
import { createLog } from '@weir/plane';
import { expect, it, vi } from 'vitest';
import { FakeMediaServer } from '../media-server/fake-media-server.fixture.ts';
import { type SegmentConsumer, SegmentFeed } from './segment-feed.ts';
import { SegmentSpool } from './segment-spool.ts';

const publisherFacts = {
  serverId: '',
  serviceId: '',
  id: 'c',
  address: '',
  param: '',
  tcUrl: '',
  protocol: 'rtmp' as const,
};

function open() {
  const directory = join(mkdtempSync(join(tmpdir(), 'weir-feed-')), 'segments');
  mkdirSync(directory);
  const log = createLog('test', 'error');
  log.level = 'silent';
  const mediaServer = new FakeMediaServer();
  const feed = new SegmentFeed({ spool: new SegmentSpool(directory, log), mediaServer, log });
  let count = 0;
  /** Writes a segment as the engine does. */
  const spool = (stream: string, sequence: number): FinishedSegment => {
    count++;
    const id = `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
    const entry = { keptAtMs: 1_700_000_000_000, count, id };
    const place = { vhost: 'v', app: 'live', stream };
    const file = join(directory, entryName(entry, 'mpegts'));
    const isDiscontinuity = sequence === 1;
    const facts = { format: 'mpegts', durationMs: 2500, isDiscontinuity } as const;
    const segment = { id, ...place, ...facts, clientId: 'c', file, sequence };
    const publisher = { ...publisherFacts, place: { vhost: 'v', app: 'live', name: stream } };
    const body = segmentHookBody(segment, publisher, { url: '', m3u8: '', m3u8Url: '' });
    writeFileSync(join(directory, entryName(entry, 'facts')), JSON.stringify(body));
    writeFileSync(file, 'media');
    return segment;
  };
  const tell = (segment: FinishedSegment) => feed.tell({ ...segment, isDiscontinuity: false });
  return { directory, mediaServer, feed, spool, tell, left: () => readdirSync(directory) };
}

/** Takes what it is given when it is told to go on. */
function consumer(options: Partial<SegmentConsumer> = {}) {
  const taken: FinishedSegment[] = [];
  const missed: FinishedSegment[] = [];
  const waiting: (() => void)[] = [];
  const self: SegmentConsumer = {
    name: 'test',
    most: 10,
    isOn: async () => true,
    take: async (segment) => {
      taken.push(segment);
    },
    miss: (segment) => missed.push(segment),
    ...options,
  };
  return { self, taken, missed, waiting };
}

it('gives every consumer every segment, and removes an entry when all are done', async () => {
  const { feed, spool, tell, left } = open();
  const gate = Promise.withResolvers<void>();
  const quick = consumer();
  const slow = consumer({ take: () => gate.promise });
  feed.add(quick.self);
  feed.add(slow.self);
  tell(spool('a', 1));
  await vi.waitFor(() => expect(quick.taken).toHaveLength(1));
  expect(quick.taken[0]).toMatchObject({ stream: 'a', durationMs: 2500, sequence: 1 });
  expect(left()).toHaveLength(2);
  gate.resolve();
  await feed.idle();
  expect(left()).toEqual([]);
});

it('delivers waiting segments before new ones, in order, each once', async () => {
  const { feed, spool, tell } = open();
  const { self, taken } = consumer();
  feed.add(self);
  const entries = [1, 2, 3].map((sequence) => spool('a', sequence));
  await feed.scan();
  for (const entry of entries) tell(entry);
  tell(spool('a', 4));
  await feed.scan();
  await feed.idle();
  expect(taken.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
  expect(taken[0]).toMatchObject({ id: entries[0]?.id, isDiscontinuity: true, vhost: 'v', clientId: 'c' });
});

it('keeps the order within a stream, and no stream waits for another', async () => {
  const { feed, spool, tell } = open();
  const gates = new Map<string, () => void>();
  const order: string[] = [];
  const { self } = consumer({
    take: async ({ stream, sequence }) => {
      if (stream === 'stuck') await new Promise<void>((resolve) => gates.set('stuck', resolve));
      order.push(`${stream}${sequence}`);
    },
  });
  feed.add(self);
  for (const [stream, sequence] of [
    ['stuck', 1],
    ['stuck', 2],
    ['a', 1],
    ['a', 2],
    ['b', 1],
  ] as const)
    tell(spool(stream, sequence));
  await vi.waitFor(() => expect(order).toEqual(['a1', 'b1', 'a2']));
  gates.get('stuck')?.();
  await vi.waitFor(() => expect(order).toContain('stuck1'));
  await vi.waitFor(() => {
    gates.get('stuck')?.();
    expect(order).toContain('stuck2');
  });
});

it('drops segments of a consumer that is too slow, and of no other', async () => {
  const { feed, spool, tell, left } = open();
  const gate = Promise.withResolvers<void>();
  const slow = consumer({ most: 2, take: () => gate.promise });
  const broken = consumer({ take: () => Promise.reject(new Error('no')) });
  const quick = consumer();
  for (const { self } of [slow, broken, quick]) feed.add(self);
  for (let sequence = 1; sequence <= 5; sequence++) tell(spool('a', sequence));
  await vi.waitFor(() => expect(quick.taken).toHaveLength(5));
  expect(slow.missed.map(({ sequence }) => sequence)).toEqual([4, 5]);
  await vi.waitFor(() => expect(broken.missed).toHaveLength(5));
  gate.resolve();
  await feed.idle();
  expect(left()).toEqual([]);
});

it('skips what cannot be read, and files that it did not write', async () => {
  const { feed, spool, directory, left } = open();
  const { self, taken } = consumer();
  feed.add(self);
  const { file } = spool('a', 1);
  writeFileSync(file.replace(/ts$/, 'json'), '{"app":');
  writeFileSync(join(directory, 'other.ts'), '');
  spool('a', 2);
  await feed.scan();
  await feed.idle();
  expect(taken.map(({ sequence }) => sequence)).toEqual([2]);
  expect(left()).toEqual(['other.ts']);
});

it('retries failed removals later, also those of a killed process', async () => {
  const { feed, spool, tell, left } = open();
  const { self, taken } = consumer();
  feed.add(self);
  const first = spool('a', 1);
  tell(first);
  await feed.idle();
  await vi.waitFor(() => expect(left()).toEqual([]));
  writeFileSync(first.file, 'media');
  rmSync(spool('a', 2).file.replace(/ts$/, 'json'));
  await feed.scan();
  await feed.idle();
  expect(left()).toEqual([]);
  expect(taken.map(({ sequence }) => sequence)).toEqual([1]);
});

it('stores nothing without consumers', async () => {
  const { spool, tell, left } = open();
  tell(spool('a', 1));
  await vi.waitFor(() => expect(left()).toEqual([]));
});

it('gives lower qualities only to those who take them, and tells the engine which', async () => {
  const { feed, mediaServer, spool, tell, left } = open();
  const plain = consumer();
  const chooser = consumer({ qualities: async () => ['240p'] });
  feed.add(plain.self);
  feed.add(chooser.self);
  await feed.push();
  expect(mediaServer.applied.at(-1)).toEqual({ segmentFormats: ['mpegts'], segmentQualities: ['240p'] });
  tell({ ...spool('a', 1), quality: '240p' });
  tell(spool('a', 1));
  await vi.waitFor(() => expect(left()).toEqual([]));
  expect(plain.taken.map(({ quality }) => quality)).toEqual([undefined]);
  expect(chooser.taken.map(({ quality }) => quality)).toEqual(['240p', undefined]);
});

it('sends the needed formats to the engine at once, only once, and again after a failure', async () => {
  const { feed, mediaServer } = open();
  let isOn = false;
  feed.add(consumer({ isOn: async () => isOn }).self);
  const formats: SegmentConsumer['formats'] = { known: ['fmp4'], wanted: async () => ['fmp4'] };
  feed.add(consumer({ isOn: async () => isOn, formats }).self);
  const told = () => mediaServer.applied.map(({ segmentFormats }) => segmentFormats);
  await feed.push();
  await feed.changed();
  expect(told()).toEqual([[]]);
  isOn = true;
  mediaServer.isAway = true;
  await feed.changed();
  mediaServer.isAway = false;
  await feed.changed();
  await feed.changed();
  expect(told()).toEqual([[], ['mpegts', 'fmp4']]);
  await feed.push();
  expect(told()).toEqual([[], ['mpegts', 'fmp4'], ['mpegts', 'fmp4']]);
});
