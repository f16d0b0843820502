import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../weir.fixture.ts';
import { FlvViewer, Live } from './fixtures/live.fixture.ts';
import { SyntheticPublisher } from './fixtures/synthetic-publisher.fixture.ts';

let live: Live;
beforeAll(async () => {
  live = await Live.start();
});
afterAll(() => live.close());

/** Longer than a silent publisher is borne. */
const frozenMs = 33_000;

it('F24: no client is dropped when the media plane was suspended for half a minute', async () => {
  const { weir, secret } = live;
  const publisher = await SyntheticPublisher.start({
    port: weir.rtmpPort,
    name: `steady?secret=${secret}`,
    kbps: 200,
  });
  const viewer = await FlvViewer.open(live.http('steady', '.flv'));
  await until(() => viewer.bytes > 10_000, 'it plays');
  const engine = weir.pidOf('engine');
  process.kill(engine, 'SIGSTOP');
  try {
    await sleep(frozenMs);
  } finally {
    process.kill(engine, 'SIGCONT');
  }
  const before = viewer.bytes;
  await until(() => viewer.bytes > before + 500_000, 'what was sent meanwhile, and more');
  expect([publisher.hasEnded, viewer.hasEnded]).toEqual([false, false]);
  expect(weir.pidOf('engine')).toBe(engine);
  viewer.close();
  publisher.close();
});
