import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FinishedSegment, RewindRules } from '@weir/engine-api';
import { createLog } from '@weir/plane';
import { expect, it, onTestFinished, vi } from 'vitest';
import { RewindKeeper } from './rewind-keeper.ts';

const place = { vhost: '__defaultVhost__', app: 'live' };
const startMs = 1_800_000_000_000;

async function open() {
  const filesDir = await mkdtemp(join(tmpdir(), 'weir-rewind-'));
  const now = { ms: startMs };
  const clock = {
    dateMs: () => now.ms,
    elapsedMs: () => now.ms,
    pause: (_ms: number, signal?: AbortSignal) =>
      new Promise<void>((_done, fail) => signal?.addEventListener('abort', fail)),
  };
  let rules = new RewindRules([{ pattern: '/live/*', windowSeconds: 60 }]);
  const log = createLog('test', 'error');
  log.level = 'silent';
  const start = () => {
    const keeper = new RewindKeeper({ filesDir, rules: async () => rules, log, clock });
    const over = new AbortController();
    const running = keeper.run(over.signal);
    onTestFinished(async () => {
      over.abort();
      await running;
    });
    return keeper;
  };
  let count = 0;
  const feed = async (keeper: RewindKeeper, stream: string, segments: number) => {
    for (let index = 0; index < segments; index++) {
      count += 1;
      now.ms += 2000;
      const file = join(filesDir, `${count}.ts`);
      await writeFile(file, 'x'.repeat(100));
      const segment: FinishedSegment = {
        ...place,
        stream,
        id: `0b9f2c5e-8a0d-4c57-9f6e-${String(count).padStart(12, '0')}`,
        format: 'mpegts',
        clientId: 'c',
        file,
        durationMs: 2000,
        dateMs: now.ms - 2000,
        sequence: count,
        isDiscontinuity: false,
      };
      await keeper.take(segment);
    }
  };
  const setRules = (next: RewindRules) => {
    rules = next;
  };
  return { filesDir, now, start, feed, setRules };
}

it('keeps the window of a stream, finds it after a restart, and deletes it when its rule is gone', async () => {
  const { filesDir, now, start, feed, setRules } = await open();
  const keeper = start();
  await feed(keeper, 'show', 150);
  await keeper.review();
  const [facts] = keeper.facts();
  // The window, a chunk that began before it, and the time in which players still load what left their playlist.
  const keptMs = now.ms - (facts?.startMs ?? 0);
  expect(keptMs).toBeGreaterThanOrEqual(60_000);
  expect(keptMs).toBeLessThan(60_000 + 120_000 + 10_000);
  const again = start();
  await vi.waitFor(() => expect(again.facts()).toEqual(keeper.facts()));
  setRules(new RewindRules([]));
  await again.review();
  expect([again.facts(), await readdir(join(filesDir, 'rewind'))]).toEqual([[], []]);
});

it('keeps nothing of streams without a rule', async () => {
  const { start, feed } = await open();
  const keeper = start();
  await feed(keeper, 'show', 1);
  const [{ bytes = 0 } = {}] = keeper.facts();
  expect(bytes).toBe(100);
  await keeper.take({ app: 'other', stream: 'show' } as FinishedSegment);
  expect(keeper.facts()).toHaveLength(1);
});

it('makes room by shortening the window that reaches furthest back, and pauses when that is not enough', async () => {
  const { start, feed, now } = await open();
  const keeper = start();
  await feed(keeper, 'old', 10);
  await feed(keeper, 'young', 10);
  expect(keeper.shortenedSinceMs).toBeUndefined();
  await keeper.makeRoom(1);
  const bytesOf = (name: string) => keeper.facts().find(({ stream }) => stream === name)?.bytes ?? 0;
  expect([bytesOf('old') < 1000, bytesOf('young')]).toEqual([true, 1000]);
  expect(keeper.shortenedSinceMs).toBe(now.ms);
  await keeper.makeRoom(1_000_000);
  const before = bytesOf('young');
  await feed(keeper, 'young', 1);
  expect(bytesOf('young')).toBe(before);
  await keeper.makeRoom(0);
  await feed(keeper, 'young', 1);
  expect(bytesOf('young')).toBe(before + 100);
});
