import { ocrLimits } from '@weir/contract';
import type { OcrRow, QueueName } from './ocr-row.ts';

/** Operation on the oldest row of each queue. */
export type OcrStage = 'take' | 'read' | 'tell';

interface Move {
  readonly kind: OcrStage | 'purge' | 'drop';
  readonly row: OcrRow;
}

interface Facts {
  /** Each stage has one segment at a time. */
  readonly isBusy: (stage: OcrStage) => boolean;
  /** False while a failed row waits for its next attempt. */
  readonly isReady: (row: OcrRow) => boolean;
}

const { queue: kept, live: mostLive } = ocrLimits;
/** Limit of each queue between live and cleanup. */
const mostWaiting = kept + 1;

/** The next move, those at the end first; undefined when all rest. Every queue stays within its bound. */
export function nextMove(rows: readonly OcrRow[], { isBusy, isReady }: Facts): Move | undefined {
  const of = (name: QueueName) => rows.filter(({ queue }) => queue === name);
  const [live, ocr, callback, cleanup] = [of('live'), of('ocr'), of('callback'), of('cleanup')];
  const head = (kind: OcrStage, [row]: readonly OcrRow[]): Move | undefined =>
    row && !isBusy(kind) && isReady(row) ? { kind, row } : undefined;
  const [oldest] = cleanup;
  if (oldest && cleanup.length > kept) return { kind: 'purge', row: oldest };
  // The first one may be in work: then the one behind it goes.
  const surplus = live.length > mostLive ? live[isBusy('take') ? 1 : 0] : undefined;
  return (
    head('tell', callback) ??
    (callback.length < mostWaiting ? head('read', ocr) : undefined) ??
    (ocr.length < mostWaiting ? head('take', live) : undefined) ??
    (surplus && { kind: 'drop', row: surplus })
  );
}
