import type { IssueId } from '@weir/contract';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { until } from '../../weir.fixture.ts';
import { RtcDesk } from './rtc-desk.fixture.ts';

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

it('is told of the loss on its line while it lasts, and a blackout blames neither loss nor its timestamps', async () => {
  await desk.publishByCamera('line');
  const isNamed = async () => (await issuesOf('line')).includes('publisher-loss');
  desk.road.toServerLoss = 0.05;
  await until(isNamed, 'loss of 5 % is named', 30_000);
  desk.road.toServerLoss = 0;
  await until(async () => !(await isNamed()), 'it is over', 30_000);

  desk.setLoss(1);
  await until(async () => (await issuesOf('line')).includes('stalled'), 'nothing arrives', 8000);
  desk.setLoss(0);
  const seen = new Set<IssueId>();
  const framesOf = async () => (await desk.streamNamed('line'))?.frames ?? 0;
  const before = await framesOf();
  await until(async () => (await framesOf()) > before + 50, 'it goes on', 20_000);
  const sinceMs = performance.now();
  await until(async () => {
    for (const id of await issuesOf('line')) seen.add(id);
    return performance.now() - sinceMs > 8000;
  }, 'eight seconds later');
  expect([...seen]).not.toContain('publisher-loss');
  expect([...seen]).not.toContain('timestamps');
});
