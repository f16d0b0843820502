import { transcriptLimits } from '@weir/contract';
import type { QueueName, SegmentRow } from './segment-row.ts';

/** Next move of a row. `keepUp` skips burning in its text because too many rows wait. */
export type Move =
  | { readonly kind: 'drop'; readonly row: SegmentRow }
  | { readonly kind: 'listen'; readonly row: SegmentRow }
  | { readonly kind: 'rest'; readonly row: SegmentRow }
  | { readonly kind: 'make'; readonly row: SegmentRow; readonly keepUp: boolean }
  | { readonly kind: 'purge'; readonly row: SegmentRow };

export interface PlanFacts {
  /** Time that the row has spent in its queue. */
  readonly restedMs: (row: SegmentRow) => number;
  /** All that was said until the end of the row is known, or nobody will ever tell. */
  readonly isKnown: (row: SegmentRow) => boolean;
  readonly fixSeconds: number | null;
  /** A segment is being made into output now. */
  readonly isMaking: boolean;
}

/** Video waits for text no longer than this. */
const longestAsrMs = 12_000;
/** Longest wait of a stream's last segments beyond their own duration. */
const lastRestMs = 10_000;
const { queue: windowSegments, live: mostLive, restSegments } = transcriptLimits;
/** Limit of each queue between live and overlay. */
const mostWaiting = windowSegments + 1;

/** The next move of a lane, oldest segments first; undefined when all rest. Every queue stays within its bound. */
export function nextMove(rows: readonly SegmentRow[], facts: PlanFacts): Move | undefined {
  const queues = splitByQueue(rows);
  const [oldestOverlay] = queues.overlay;
  if (oldestOverlay && queues.overlay.length > windowSegments) return { kind: 'purge', row: oldestOverlay };
  const [fix] = queues.fix;
  if (fix && !facts.isMaking && hasRested(fix, queues.fix.length, facts)) {
    return { kind: 'make', row: fix, keepUp: queues.fix.length >= windowSegments };
  }
  const [asr] = queues.asr;
  const isAsrFull = queues.asr.length >= mostWaiting;
  if (
    asr &&
    queues.fix.length < mostWaiting &&
    (isAsrFull || facts.isKnown(asr) || facts.restedMs(asr) > longestAsrMs)
  ) {
    return { kind: 'rest', row: asr };
  }
  const [live] = queues.live;
  if (live && queues.asr.length < mostWaiting) return { kind: 'listen', row: live };
  return live && queues.live.length > mostLive ? { kind: 'drop', row: live } : undefined;
}

export function splitByQueue(rows: readonly SegmentRow[]): Record<QueueName, SegmentRow[]> {
  const queues: Record<QueueName, SegmentRow[]> = { live: [], asr: [], fix: [], overlay: [] };
  for (const row of rows) queues[row.queue].push(row);
  return queues;
}

function hasRested(row: SegmentRow, waiting: number, { restedMs, fixSeconds }: PlanFacts): boolean {
  if (waiting >= windowSegments) return true;
  if (fixSeconds !== null) return restedMs(row) >= fixSeconds * 1000;
  return waiting > restSegments || restedMs(row) > (restSegments + 1) * row.durationMs + lastRestMs;
}
