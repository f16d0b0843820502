import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nextMove, type OcrStage } from './ocr-plan.ts';
import { OcrRow, type QueueName } from './ocr-row.ts';

const row = (order: number, queue: QueueName = 'live') =>
  OcrRow.parse({
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
    bytes: 1,
    queue,
  });
const rows = (queue: QueueName, count: number) => Array.from({ length: count }, (_, order) => row(order, queue));
const idle = { isBusy: () => false, isReady: () => true };

it('purges the cleanup queue, not the one before it', () => {
  const done = rows('cleanup', 10);
  expect(nextMove([...done, ...rows('callback', 3)], idle)).toEqual({ kind: 'purge', row: done[0] });
  expect(nextMove(done.slice(1), idle)).toBeUndefined();
});

it('lets nothing into a full queue, and drops the oldest that is not in work', () => {
  const busy = { ...idle, isBusy: (stage: OcrStage) => stage === 'tell' };
  const full = [...rows('callback', 10), ...rows('ocr', 10)];
  const live = rows('live', 31);
  expect(nextMove([...full, ...live.slice(1)], busy)).toBeUndefined();
  expect(nextMove([...full, ...live], busy)).toEqual({ kind: 'drop', row: live[0] });
  const taking = { ...idle, isBusy: () => true };
  expect(nextMove([...full, ...live], taking)).toEqual({ kind: 'drop', row: live[1] });
});

it('waits in its place for an entry that failed a moment ago', () => {
  const waiting = rows('ocr', 2);
  expect(nextMove(waiting, { ...idle, isReady: ({ order }) => order !== 0 })).toBeUndefined();
  expect(nextMove(waiting, idle)).toEqual({ kind: 'read', row: waiting[0] });
});

it('keeps every queue within its bound and in order, however long stages take', () => {
  const step = fc.record({
    comes: fc.boolean(),
    ends: fc.constantFrom<OcrStage | undefined>('take', 'read', 'tell', undefined),
    leaves: fc.boolean(),
  });
  const to = { take: 'ocr', read: 'callback', tell: 'cleanup' } as const;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      let all: OcrRow[] = [];
      let order = 0;
      const working = new Map<OcrStage, OcrRow>();
      for (const { comes, ends, leaves } of steps) {
        if (comes) all = [...all, row(order++)];
        const done = ends && working.get(ends);
        if (ends && done) {
          working.delete(ends);
          const isSkipped = leaves && ends !== 'tell';
          all = all.flatMap((one) => (one.id !== done.id ? [one] : isSkipped ? [] : [{ ...one, queue: to[ends] }]));
        }
        for (;;) {
          const move = nextMove(all, { isBusy: (stage) => working.has(stage), isReady: () => true });
          if (!move) break;
          const { kind, row: moved } = move;
          expect([...working.values()].some(({ id }) => id === moved.id)).toBe(false);
          if (kind === 'purge' || kind === 'drop') all = all.filter(({ id }) => id !== moved.id);
          else working.set(kind, moved);
        }
        const of = (name: QueueName) => all.filter(({ queue }) => queue === name);
        expect(of('live').length).toBeLessThanOrEqual(30);
        expect(of('ocr').length).toBeLessThanOrEqual(10);
        expect(of('callback').length).toBeLessThanOrEqual(10);
        expect(of('cleanup').length).toBeLessThanOrEqual(9);
        const orders = (['cleanup', 'callback', 'ocr', 'live'] as const).flatMap((name) =>
          of(name).map((r) => r.order),
        );
        expect(orders).toEqual(orders.toSorted((a, b) => a - b));
      }
    }),
    { numRuns: 100 },
  );
});
