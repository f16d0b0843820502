import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PipelineSegment } from './pipeline-segment.ts';
import { nextMove, type PlannedStage, type SegmentQueue } from './segment-plan.ts';

type Row = PipelineSegment & { readonly queue: 'arrived' | 'waiting' | 'checked' | 'shown' };
type QueueName = Row['queue'];

const queues: SegmentQueue<Row>[] = [
  { name: 'arrived', most: 30 },
  { name: 'waiting', most: 10 },
  { name: 'checked', most: 10 },
  { name: 'shown', most: 9 },
];
const [read, check, show]: [PlannedStage<Row>, PlannedStage<Row>, PlannedStage<Row>] = [
  { name: 'read', from: 'arrived', to: 'waiting' },
  { name: 'check', from: 'waiting', to: 'checked' },
  { name: 'show', from: 'checked', to: 'shown' },
];
const stages = [read, check, show];

const row = (order: number, queue: QueueName = 'arrived'): Row => ({
  id: randomUUID(),
  order,
  sequence: order,
  vhost: 'v',
  app: 'live',
  stream: 's',
  clientId: 'c',
  epoch: 1,
  atMs: 0,
  durationMs: 2000,
  startMs: null,
  bytes: 1,
  isIndependent: true,
  queue,
});
const rows = (queue: QueueName, count: number) => Array.from({ length: count }, (_, order) => row(order, queue));
const idle = { queues, stages, isBusy: () => false, isReady: () => true, waitedMs: () => 0 };

it('purges the last queue, not the one before it', () => {
  const done = rows('shown', 10);
  expect(nextMove([...done, ...rows('checked', 3)], idle)).toEqual({ kind: 'purge', row: done[0] });
  expect(nextMove(done.slice(1), idle)).toBeUndefined();
});

it('lets nothing into a full queue, and drops the oldest arrival that is not in work', () => {
  const busy = { ...idle, isBusy: (stage: PlannedStage<Row>) => stage === show };
  const full = [...rows('checked', 10), ...rows('waiting', 10)];
  const arrived = rows('arrived', 31);
  expect(nextMove([...full, ...arrived.slice(1)], busy)).toBeUndefined();
  expect(nextMove([...full, ...arrived], busy)).toEqual({ kind: 'drop', row: arrived[0] });
  const reading = { ...idle, isBusy: () => true };
  expect(nextMove([...full, ...arrived], reading)).toEqual({ kind: 'drop', row: arrived[1] });
});

it('waits in its place for an entry that failed a moment ago', () => {
  const waiting = rows('waiting', 2);
  expect(nextMove(waiting, { ...idle, isReady: ({ order }) => order !== 0 })).toBeUndefined();
  expect(nextMove(waiting, idle)).toEqual({ kind: 'work', stage: check, row: waiting[0], waiting: 2 });
});

it('starts a stage when it is due', () => {
  const waiting = rows('waiting', 3);
  const due = { ...check, isDue: (_: Row, facts: { waiting: number; waitedMs: number }) => facts.waitedMs >= 5 };
  expect(nextMove(waiting, { ...idle, stages: [due], waitedMs: () => 4 })).toBeUndefined();
  expect(nextMove(waiting, { ...idle, stages: [due], waitedMs: () => 5 })).toMatchObject({ stage: due, waiting: 3 });
});

it('keeps every queue within its bound and in order, however long stages last', () => {
  const step = fc.record({
    comes: fc.boolean(),
    ends: fc.constantFrom(...stages, undefined),
    leaves: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      let all: Row[] = [];
      let order = 0;
      const working = new Map<PlannedStage<Row>, Row>();
      for (const { comes, ends, leaves } of steps) {
        if (comes) all = [...all, row(order++)];
        const done = ends && working.get(ends);
        if (ends && done) {
          working.delete(ends);
          const isSkipped = leaves && ends !== show;
          all = all.flatMap((one) => (one.id !== done.id ? [one] : isSkipped ? [] : [{ ...one, queue: ends.to }]));
        }
        for (;;) {
          const move = nextMove(all, { ...idle, isBusy: (stage) => working.has(stage) });
          if (!move) break;
          const { row: moved } = move;
          expect([...working.values()].some(({ id }) => id === moved.id)).toBe(false);
          if (move.kind === 'work') working.set(move.stage, moved);
          else all = all.filter(({ id }) => id !== moved.id);
        }
        const inQueue = (name: QueueName) => all.filter(({ queue }) => queue === name);
        for (const { name, most } of queues) expect(inQueue(name).length).toBeLessThanOrEqual(most);
        const orders = queues.toReversed().flatMap(({ name }) => inQueue(name).map((one) => one.order));
        expect(orders).toEqual(orders.toSorted((a, b) => a - b));
      }
    }),
    { numRuns: 100 },
  );
});
