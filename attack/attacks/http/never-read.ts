import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { FrameViewer } from '../../../tests/media/fixtures/frames.fixture.ts';
import type { Live } from '../../../tests/media/fixtures/live.fixture.ts';
import { SyntheticPublisher } from '../../../tests/media/fixtures/synthetic-publisher.fixture.ts';
import { until } from '../../../tests/weir.fixture.ts';
import { type Attack, holds } from '../../attack.ts';
import type { SilentViewers } from './silent-viewers.ts';

const viewers = 500;
const kbps = 10_000;
const watchedMs = 12_000;
const longestGapMs = 500;
const checkEveryMs = 20;
const name = 'large';
const addresses = ['127.40.0.1', '127.41.0.1'];

/**
 * Measures the longest time in which a count does not grow. Time in which this process itself did not run is left out: it says how busy
 * the machine is with other work.
 */
class Gaps {
  readonly #timer: NodeJS.Timeout;
  #longestMs = 0;

  constructor(count: () => number) {
    let [seen, seenMs, lookedMs, lateMs] = [count(), performance.now(), performance.now(), 0];
    this.#timer = setInterval(() => {
      const nowMs = performance.now();
      lateMs += Math.max(0, nowMs - lookedMs - 2 * checkEveryMs);
      lookedMs = nowMs;
      this.#longestMs = Math.max(this.#longestMs, nowMs - seenMs - lateMs);
      if (count() > seen) [seen, seenMs, lateMs] = [count(), nowMs, 0];
    }, checkEveryMs);
  }

  close(): number {
    clearInterval(this.#timer);
    return this.#longestMs;
  }
}

/** Opens clients that request this and never read, while an honest viewer watches the same stream. */
function attackWith(what: string, pathIn: (live: Live) => Promise<string>): Attack {
  return {
    id: 'S46',
    title: `${viewers} clients over HTTPS that request ${what} of ${kbps / 1000} Mbit/s and never read`,
    // Above an idle engine of 80 to 90 MB: below 400 MB in all.
    growthMb: 300,
    async run({ live }) {
      const { httpPort, httpsPort: port, rtmpPort } = live.weir;
      const publisher = await SyntheticPublisher.start({ port: rtmpPort, name: `${name}?secret=${live.secret}`, kbps });
      await until(() => live.isLive(name), 'the large stream is live');
      const watcher = FrameViewer.overFlv(httpPort, `/live/${name}.flv`);
      await until(() => watcher.times.video.length > 50, 'its honest viewer watches');
      const path = await pathIn(live);
      const workerData: SilentViewers = { port, isSecure: true, path, count: viewers, addresses };
      const thread = new Worker(new URL('./silent-viewers.ts', import.meta.url), { workerData });
      const begun = once(thread, 'message');
      const gaps = new Gaps(() => watcher.times.video.length);
      const [refused] = await begun;
      holds(refused === 0, `${refused} clients could not connect`);
      await sleep(watchedMs);
      const longest = gaps.close();
      await thread.terminate();
      watcher.close();
      publisher.close();
      holds(longest < longestGapMs, `the stream's honest viewer got nothing for ${Math.round(longest)} ms`);
      return `the stream's honest viewer waited ${Math.round(longest)} ms at most`;
    },
  };
}

export const silentFlv = attackWith('a stream', async () => `/live/${name}.flv`);

/** Requests ten seconds of the stream in one answer. */
export const silentSegments = attackWith('a segment', async (live) => {
  let segment = '';
  await until(
    async () => {
      const answer = await fetch(live.http(name, '.m3u8?hls_ctx=0123456789abcdef'));
      segment = /^\S+\.ts\S*$/m.exec(await answer.text())?.[0] ?? '';
      return segment !== '';
    },
    'the stream has a segment',
    40_000,
  );
  return `/live/${segment}`;
});
