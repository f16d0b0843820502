import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextMove } from '../../../pipelines/segment-plan.ts';
import { segmentRow } from './segment-row.fixture.ts';
import type { QueueName, SegmentRow } from './segment-row.ts';
import { transcriptQueues, transcriptStages } from './transcript-stages.ts';

interface Facts {
  readonly waitedMs: (row: SegmentRow) => number;
  readonly isKnown: () => boolean;
  readonly fixSeconds: number | null;
  readonly isMaking: boolean;
}

const rows = (...queues: QueueName[]) => queues.map((queue, order) => segmentRow({ order, queue, durationMs: 2000 }));
const plan = (all: readonly SegmentRow[], more: Partial<Facts> = {}) => {
  const { waitedMs = () => 0, isKnown = () => true, fixSeconds = null, isMaking = false } = more;
  const stages = transcriptStages({
    fixSeconds: () => fixSeconds,
    isKnown,
    locate: async () => ({ change: (row) => row }),
    addText: (row) => row,
    output: async () => ({ change: (row) => row }),
  });
  const isBusy = ({ name }: { name: string }) => name === 'output' && isMaking;
  const move = nextMove(all, { queues: transcriptQueues, stages, isBusy, isReady: () => true, waitedMs });
  return move && { ...move, name: move.kind === 'work' ? move.stage.name : move.kind };
};
const moveIn = (queues: QueueName[], more?: Partial<Facts>) => {
  const move = plan(rows(...queues), more);
  return move && `${move.name} ${move.row.order}`;
};
const many = (count: number, queue: QueueName): QueueName[] => Array.from({ length: count }, () => queue);

describe('the stages of a transcript', () => {
  it.each<[string, QueueName[], Partial<Facts>, string | undefined]>([
    ['a segment that came is looked at', ['live'], {}, 'locate 0'],
    ['one whose text is not known waits', ['asr'], { isKnown: () => false }, undefined],
    ['one whose text is known rests', ['asr'], {}, 'add text 0'],
    ['video does not wait for text for ever', ['asr'], { isKnown: () => false, waitedMs: () => 12_001 }, 'add text 0'],
    ['nor when too many wait', many(10, 'asr'), { isKnown: () => false }, 'add text 0'],
    ['two rest where text can be edited', ['fix', 'fix'], {}, undefined],
    ['the third moves the first', ['fix', 'fix', 'fix'], {}, 'output 0'],
    ['one is made at a time', ['fix', 'fix', 'fix'], { isMaking: true }, undefined],
    ['or they rest for some time', ['fix', 'fix', 'fix'], { fixSeconds: 5 }, undefined],
    ['and no longer', ['fix'], { fixSeconds: 5, waitedMs: () => 5000 }, 'output 0'],
    ['of a stream that ended none stays', ['fix'], { waitedMs: () => 16_001 }, 'output 0'],
    ['the output has nine', many(10, 'overlay'), {}, 'purge 0'],
    [
      'too many that wait lose the oldest',
      [...many(10, 'asr'), ...many(31, 'live')],
      { isKnown: () => false },
      'add text 0',
    ],
  ])('%s', (_what, queues, more, expected) => expect(moveIn(queues, more)).toBe(expected));

  it('drops segments that cannot be used any more', () => {
    const full = [...many(10, 'fix'), ...many(10, 'asr'), ...many(31, 'live')];
    expect(moveIn(full, { isMaking: true })).toBe('drop 20');
  });

  it('puts out a segment when too many wait, however long they should rest', () => {
    expect(moveIn(many(8, 'fix'), { fixSeconds: 60 })).toBeUndefined();
    expect(moveIn(many(9, 'fix'), { fixSeconds: 60 })).toBe('output 0');
  });

  it('keeps order and bounds after any failure', () => {
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
          const waitedMs = ({ id }: SegmentRow) => now - (since.get(id) ?? now);
          for (;;) {
            const move = plan(all, { waitedMs, isKnown: () => knows, fixSeconds, isMaking });
            if (!move) break;
            const { row } = move;
            if (move.kind === 'work') put(row, move.stage.to);
            else all = all.filter(({ id }) => id !== row.id);
            if (move.name !== 'output') continue;
            out.push(row.order);
            isMaking = true;
          }
          const inQueue = (name: QueueName) => all.filter(({ queue }) => queue === name);
          expect(inQueue('live').length).toBeLessThanOrEqual(30);
          expect(inQueue('asr').length).toBeLessThanOrEqual(10);
          expect(inQueue('fix').length).toBeLessThanOrEqual(10);
          expect(inQueue('overlay').length).toBeLessThanOrEqual(9);
          const orders = (['overlay', 'fix', 'asr', 'live'] as const)
            .flatMap((name) => inQueue(name))
            .map((r) => r.order);
          expect(orders).toEqual(orders.toSorted((a, b) => a - b));
        }
        expect(out).toEqual(out.toSorted((a, b) => a - b));
      }),
      { numRuns: 60 },
    );
  });
});
