import { createLog } from '@weir/plane';
import { expect, it, vi } from 'vitest';
import { FakeMediaServer, liveStream } from './fake-media-server.fixture.ts';
import { watchMediaServer } from './watch-media-server.ts';

/** A watch whose time passes only when the test says so. */
function watch(mediaServer: FakeMediaServer) {
  const log = createLog('test', 'error');
  log.level = 'silent';
  const warn = vi.spyOn(log, 'warn');
  const onStarted = vi.fn(async () => {});
  const lists: number[] = [];
  const onRound = async (list: () => Promise<unknown[]>) => void lists.push((await list()).length);
  const abort = new AbortController();
  let nowMs = 0;
  let resting = Promise.withResolvers<void>();
  let rest = Promise.withResolvers<void>();
  const clock = {
    dateMs: () => nowMs,
    elapsedMs: () => nowMs,
    pause: (ms: number) => {
      rest = Promise.withResolvers<void>();
      resting.resolve();
      return rest.promise.then(() => {
        nowMs += ms;
      });
    },
  };
  const ended = watchMediaServer({ mediaServer, log, onStarted, onRound, clock }, abort.signal);
  /** Until the watch rests the given number of times. */
  const rounds = async (count: number) => {
    for (let round = 0; round < count; round += 1) {
      resting = Promise.withResolvers<void>();
      rest.resolve();
      await resting.promise;
    }
  };
  const stop = async () => {
    abort.abort();
    rest.resolve();
    await ended;
  };
  return { onStarted, lists, warn, rounds, stop, first: () => resting.promise };
}

it('checks at once, and queries live streams every ten seconds', async () => {
  const mediaServer = new FakeMediaServer();
  mediaServer.live = [liveStream()];
  const { onStarted, lists, first, rounds, stop } = watch(mediaServer);
  await first();
  expect(lists).toEqual([1]);
  await rounds(10);
  expect(lists).toEqual([1, 1, 1]);
  expect(onStarted).toHaveBeenCalledTimes(1);
  await stop();
});

it('notices a restart within seconds, and compares at once', async () => {
  const mediaServer = new FakeMediaServer();
  const { onStarted, lists, first, rounds, stop } = watch(mediaServer);
  await first();
  mediaServer.startedAt = '2026-01-01T00:00:30.000Z';
  await rounds(1);
  expect(onStarted).toHaveBeenCalledTimes(2);
  expect(lists).toHaveLength(2);
  await stop();
});

it('sends settings to a new engine until it accepts them, and compares all the same', async () => {
  const { onStarted, lists, first, rounds, stop } = watch(new FakeMediaServer());
  onStarted.mockRejectedValueOnce(new Error('not yet'));
  await first();
  expect(lists).toHaveLength(1);
  await rounds(1);
  expect(onStarted).toHaveBeenCalledTimes(2);
  await rounds(2);
  expect(onStarted).toHaveBeenCalledTimes(2);
  await stop();
});

it('waits for an engine that is away, and logs it once', async () => {
  const mediaServer = new FakeMediaServer({ isAway: true });
  const { onStarted, warn, first, rounds, stop } = watch(mediaServer);
  await first();
  await rounds(4);
  expect(warn).toHaveBeenCalledTimes(1);
  mediaServer.isAway = false;
  await rounds(1);
  expect(onStarted).toHaveBeenCalledTimes(1);
  await stop();
});
