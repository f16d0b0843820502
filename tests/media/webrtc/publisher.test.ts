import type { IssueId } from '@weir/contract';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { until } from '../../weir.fixture.ts';
import { flvTimes } from '../fixtures/ffmpeg.fixture.ts';
import { RtcDesk } from './rtc-desk.fixture.ts';
import { SimulcastPublisher } from './simulcast.fixture.ts';

let desk: RtcDesk;

beforeAll(async () => {
  desk = await RtcDesk.start();
});
afterAll(() => desk.close());
afterEach(() => desk.clear());

async function issuesOf(stream: string): Promise<IssueId[]> {
  const { data } = await desk.live.post('/terraform/v1/mgmt/streams/detail', {
    app: 'live',
    stream,
    since: Date.now(),
  });
  return data.diagnosis.issues.map(({ id }: { id: IssueId }) => id);
}

it('a WebRTC publisher is shown the loss on its line while it lasts, and a blackout is reported neither as loss nor as bad timestamps', async () => {
  await desk.publishByCamera('line');
  const isNamed = async () => (await issuesOf('line')).includes('publisher-loss');
  desk.road.toServerLoss = 0.05;
  await until(isNamed, 'loss of 5 % is named');
  desk.road.toServerLoss = 0;
  await until(async () => !(await isNamed()), 'it is over');

  desk.setLoss(1);
  await until(async () => (await issuesOf('line')).includes('stalled'), 'nothing arrives');
  desk.setLoss(0);
  const seen = new Set<IssueId>();
  const framesOf = async () => (await desk.streamNamed('line'))?.frames ?? 0;
  const before = await framesOf();
  await until(async () => (await framesOf()) > before + 50, 'it goes on');
  const sinceMs = performance.now();
  await until(async () => {
    for (const id of await issuesOf('line')) seen.add(id);
    return performance.now() - sinceMs > 8000;
  }, 'eight seconds later');
  expect([...seen]).not.toContain('publisher-loss');
  expect([...seen]).not.toContain('timestamps');
});

it('a WebRTC publisher with several layers is shown in its largest, and in the next one while that is switched off', async () => {
  const address = desk.url('whip', 'layers', `&secret=${desk.live.secret}`);
  const publisher = await SimulcastPublisher.open(desk.browser, desk.live.weir.origin, address);
  expect(publisher.answer.status).toBe(201);
  expect(publisher.answer.sdp).toContain('a=simulcast:recv l;m;h');
  await until(async () => (await desk.streamNamed('layers'))?.video?.width === 640, 'the largest arrives');
  const viewer = await desk.call('whep', 'layers');
  const width = async () => (await viewer.facts()).video?.frameWidth;
  await until(async () => (await width()) === 640 && (await viewer.facts()).frames > 20, 'it is seen');
  const times = flvTimes(desk.live.http('layers', '.flv'), 12);

  await publisher.switchLayer('h', false);
  await until(async () => (await width()) === 320, 'the next one takes over');
  const { frames } = await viewer.facts();
  await until(async () => (await viewer.facts()).frames > frames + 20, 'it goes on');

  await publisher.switchLayer('h', true);
  await until(async () => (await width()) === 640, 'the largest is back');
  // Times as a player receives them, in order and without a hole except for the second until the pause is noticed.
  const steps = (await times).map((time, n, all) => time - (all[n - 1] ?? time)).slice(1);
  expect(steps.length).toBeGreaterThan(50);
  expect(Math.min(...steps)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...steps)).toBeLessThan(5000);
  const issues = await issuesOf('layers');
  for (const id of ['timestamps', 'av-offset', 'publisher-loss'] as const) expect(issues).not.toContain(id);
  await publisher.page.close();
});
