import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextMove, type PlanFacts, splitByQueue } from './queue-plan.ts';
import { segmentRow } from './segment-row.fixture.ts';
import type { QueueName, SegmentRow } from './segment-row.ts';

const rows = (...queues: QueueName[]) => queues.map((queue, order) => segmentRow({ order, queue, durationMs: 2000 }));
const facts = (more: Partial<PlanFacts> = {}): PlanFacts => ({
  restedMs: () => 0,
  isKnown: () => true,
  fixSeconds: null,
  isMaking: false,
  ...more,
});
const moveOf = (queues: QueueName[], more?: Partial<PlanFacts>) => {
  const move = nextMove(rows(...queues), facts(more));
  return move && `${move.kind} ${move.row.order}`;
};
const many = (count: number, queue: QueueName): QueueName[] => Array.from({ length: count }, () => queue);

describe('nextMove', () => {
  it.each<[string, QueueName[], Partial<PlanFacts>, string | undefined]>([
    ['a segment that came is looked at', ['live'], {}, 'listen 0'],
    ['one whose text is not known waits', ['asr'], { isKnown: () => false }, undefined],
    ['one whose text is known rests', ['asr'], {}, 'rest 0'],
    ['video does not wait for text for ever', ['asr'], { isKnown: () => false, restedMs: () => 12_001 }, 'rest 0'],
    ['nor when too many wait', many(10, 'asr'), { isKnown: () => false }, 'rest 0'],
    ['two rest where text can be edited', ['fix', 'fix'], {}, undefined],
    ['the third moves the first', ['fix', 'fix', 'fix'], {}, 'make 0'],
    ['one is made at a time', ['fix', 'fix', 'fix'], { isMaking: true }, undefined],
    ['or they rest for some time', ['fix', 'fix', 'fix'], { fixSeconds: 5 }, undefined],
    ['and no longer', ['fix'], { fixSeconds: 5, restedMs: () => 5000 }, 'make 0'],
    ['of a stream that ended none stays', ['fix'], { restedMs: () => 16_001 }, 'make 0'],
    ['the output has nine', many(10, 'overlay'), {}, 'purge 0'],
    [
      'too many that wait lose the oldest',
      [...many(10, 'asr'), ...many(31, 'live')],
      { isKnown: () => false },
      'rest 0',
    ],
  ])('%s', (_what, queues, more, expected) => expect(moveOf(queues, more)).toBe(expected));

  it('drops segments that cannot be used any more', () => {
    const full = [...many(10, 'fix'), ...many(10, 'asr'), ...many(31, 'live')];
    expect(moveOf(full, { isMaking: true })).toBe('drop 20');
  });

  it('skips burning in text when too many segments wait', () => {
    expect(nextMove(rows(...many(8, 'fix')), facts())).toMatchObject({ keepUp: false });
    expect(nextMove(rows(...many(9, 'fix')), facts({ fixSeconds: 60 }))).toMatchObject({ kind: 'make', keepUp: true });
  });

  it('keeps order and bounds whatever happens', () => {
    const step = fc.record({
      comes: fc.boolean(),
      knows: fc.boolean(),
      makes: fc.boolean(),
      passedMs: fc.integer({ min: 0, max: 8000 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), fc.option(fc.constantFrom(0, 5, 60)), (steps, fixSeconds) => {
        let [now, order, isMaking] = [0, 0, false];
        let all: SegmentRow[] = [];
        const since = new Map<string, number>();
        const out: number[] = [];
        const put = (row: SegmentRow, queue: QueueName) => {
          all = all.map((one) => (one.id === row.id ? { ...row, queue } : one));
          since.set(row.id, now);
        };
        for (const { comes, knows, makes, passedMs } of steps) {
          now += passedMs;
          if (makes) isMaking = false;
          if (comes) all = [...all, segmentRow({ order: order++, queue: 'live', durationMs: 2000 })];
          const restedMs = ({ id }: SegmentRow) => now - (since.get(id) ?? now);
          for (;;) {
            const move = nextMove(all, { restedMs, isKnown: () => knows, fixSeconds, isMaking });
            if (!move) break;
            const { row, kind } = move;
            if (kind === 'listen') put(row, 'asr');
            if (kind === 'rest') put(row, 'fix');
            if (kind === 'make') {
              put(row, 'overlay');
              out.push(row.order);
              isMaking = true;
            }
            if (kind === 'drop' || kind === 'purge') all = all.filter(({ id }) => id !== row.id);
          }
          const queues = splitByQueue(all);
          expect(queues.live.length).toBeLessThanOrEqual(30);
          expect(queues.asr.length).toBeLessThanOrEqual(10);
          expect(queues.fix.length).toBeLessThanOrEqual(10);
          expect(queues.overlay.length).toBeLessThanOrEqual(9);
          const orders = [...queues.overlay, ...queues.fix, ...queues.asr, ...queues.live].map((row) => row.order);
          expect(orders).toEqual(orders.toSorted((a, b) => a - b));
        }
        expect(out).toEqual(out.toSorted((a, b) => a - b));
      }),
      { numRuns: 60 },
    );
  });
});
