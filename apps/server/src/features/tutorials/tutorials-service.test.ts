import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tutorialLimits } from '@weir/contract';
import { createLog } from '@weir/plane';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { createReadyApp } from '../../app.ready.fixture.ts';
import { FakeClock } from '../../core/clock.fixture.ts';
import { OutgoingClient } from '../../core/outgoing/request/outgoing-client.ts';
import { MemoryStore } from '../../core/store/memory-store.ts';
import { TutorialsService } from './tutorials-service.ts';
import { askBilibili } from './video-site.ts';

const id = 'BV1844y1L7dL';
const stat = { view: 1200, like: 30, share: 4, danmaku: 9 };
const known = { code: 0, data: { bvid: id, title: 'One-click live', desc: 'How it is done', stat, cid: 7 } };

/** A video site on loopback, and a service that asks it. */
async function startSite(answer: (path: string) => { status?: number; body: string }) {
  const asked: string[] = [];
  const site = createServer((request, response) => {
    asked.push(request.url ?? '');
    const { status = 200, body } = answer(request.url ?? '');
    response.writeHead(status).end(body);
  });
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  onTestFinished(() => {
    site.close();
  });
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const clock = new FakeClock(1_000_000);
  const log = createLog('test', 'error');
  log.level = 'silent';
  const ask = askBilibili(new OutgoingClient(), { origin, ownNetwork: 'typed' });
  const store = new MemoryStore();
  return { asked, clock, store, service: new TutorialsService({ store, ask, log, clock }) };
}

const asJson = (value: unknown) => () => ({ body: JSON.stringify(value) });

it('returns the data of the site, queries once for many callers, and again after a day', async () => {
  const { asked, clock, service } = await startSite(asJson(known));
  const expected = {
    bvid: id,
    title: 'One-click live',
    desc: 'How it is done',
    stat: { view: 1200, like: 30, share: 4 },
  };
  expect(await Promise.all([service.video(id), service.video(id)])).toEqual([expected, expected]);
  expect(await service.video(id)).toEqual(expected);
  expect(asked).toEqual([`/x/web-interface/view?bvid=${id}`]);
  clock.pass(tutorialLimits.freshMs);
  await service.video(id);
  expect(asked).toHaveLength(2);
});

it('returns nothing when the site fails, does not ask it for five minutes, and keeps known data', async () => {
  let isUp = true;
  const { asked, clock, service } = await startSite(() =>
    isUp ? { body: JSON.stringify(known) } : { status: 503, body: 'busy' },
  );
  await service.video(id);
  isUp = false;
  clock.pass(tutorialLimits.freshMs);
  expect(await service.video(id)).toMatchObject({ title: 'One-click live' });
  expect(await service.video('BV1RS4y1G7tb')).toBeNull();
  expect(asked).toHaveLength(2);
  clock.pass(tutorialLimits.restMs);
  isUp = true;
  expect(await service.video('BV1RS4y1G7tb')).toMatchObject({ title: 'One-click live' });
});

it.each([
  ['a video that is gone', JSON.stringify({ code: -404, message: 'nothing' })],
  ['an answer of another shape', '[]'],
  ['no JSON at all', '<html>'],
  ['an endless answer', 'x'.repeat(tutorialLimits.answerBytes + 1)],
])('returns nothing for %s', async (_what, body) => {
  const { service } = await startSite(() => ({ body }));
  expect(await service.video(id)).toBeNull();
});

it('cuts long texts and drops the oldest of too many videos', async () => {
  const long = { ...known, data: { ...known.data, title: 't'.repeat(1000), desc: 'd'.repeat(9000) } };
  const { clock, store, service } = await startSite(asJson(long));
  expect((await service.video(id))?.title).toHaveLength(tutorialLimits.titleCharacters);
  for (let index = 0; index < tutorialLimits.kept; index++) {
    clock.pass(1);
    await service.video(`BV${String(index).padStart(10, '0')}`);
  }
  const kept = await store.collection('tutorials', z.unknown()).list();
  expect(kept).toHaveLength(tutorialLimits.kept);
  expect(kept.map(({ key }) => key)).not.toContain(id);
});

it.each(['', 'BV1', '../../secret', `${id}&x=1`])('queries nothing for %j', async (bvid) => {
  const { call } = await createReadyApp();
  expect((await call('mgmt/bilibili', { bvid })).status).toBe(422);
});
