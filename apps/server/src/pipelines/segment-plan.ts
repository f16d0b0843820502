import type { QueuedSegment } from './segment-rows.ts';

/** Queue of a pipeline, and the most segments that wait in it. */
export interface SegmentQueue<Row extends QueuedSegment> {
  readonly name: Row['queue'];
  readonly most: number;
}

interface Waiting {
  /** Segments in the queue of the row, itself included. */
  readonly waiting: number;
  /** Time that the row has spent in its queue. */
  readonly waitedMs: number;
}

/** Moves the oldest segment of one queue into the next one. */
export interface PlannedStage<Row extends QueuedSegment> {
  readonly name: string;
  readonly from: Row['queue'];
  readonly to: Row['queue'];
  /** Left out: as soon as there is room. */
  readonly isDue?: (row: Row, facts: Waiting) => boolean;
}

interface Facts<Row extends QueuedSegment, Stage extends PlannedStage<Row>> {
  /** In the order of the segments. The first one drops its surplus, the last one ends with what it has shown long enough. */
  readonly queues: readonly SegmentQueue<Row>[];
  readonly stages: readonly Stage[];
  /** Each stage has one segment at a time. */
  readonly isBusy: (stage: Stage) => boolean;
  /** False while a failed row waits for its next attempt. */
  readonly isReady: (row: Row) => boolean;
  readonly waitedMs: (row: Row) => number;
}

type Move<Row extends QueuedSegment, Stage extends PlannedStage<Row>> =
  | { readonly kind: 'work'; readonly stage: Stage; readonly row: Row; readonly waiting: number }
  | { readonly kind: 'drop' | 'purge'; readonly row: Row };

/** The next move, those at the end first; undefined when all rest. Every queue stays within its bound. */
export function nextMove<Row extends QueuedSegment, Stage extends PlannedStage<Row>>(
  rows: readonly Row[],
  { queues, stages, isBusy, isReady, waitedMs }: Facts<Row, Stage>,
): Move<Row, Stage> | undefined {
  const inQueue = (name: Row['queue'] | undefined) => rows.filter(({ queue }) => queue === name);
  const [first, last] = [queues[0], queues.at(-1)];
  const shown = inQueue(last?.name);
  if (last && shown[0] && shown.length > last.most) return { kind: 'purge', row: shown[0] };
  for (const stage of stages.toReversed()) {
    const [row, { length: waiting }] = [inQueue(stage.from)[0], inQueue(stage.from)];
    const next = queues.find(({ name }) => name === stage.to);
    const hasRoom = next === last || inQueue(stage.to).length < (next?.most ?? 0);
    if (!row || !hasRoom || isBusy(stage) || !isReady(row)) continue;
    if (stage.isDue?.(row, { waiting, waitedMs: waitedMs(row) }) ?? true) return { kind: 'work', stage, row, waiting };
  }
  const arrived = inQueue(first?.name);
  if (!first || arrived.length <= first.most) return undefined;
  // The oldest one may be in work: then the one behind it is dropped.
  const isInWork = stages.some((stage) => stage.from === first.name && isBusy(stage));
  const row = arrived[isInWork ? 1 : 0];
  return row && { kind: 'drop', row };
}
