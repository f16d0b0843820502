import type { OutletRow, ProcessReport } from '@weir/contract';
import type { Tone } from '../ui/feedback/status-label.tsx';

/** Rows that open with their remedy. */
export function isTroubled({ state, failure }: ProcessReport): boolean {
  return failure !== null && (state === 'failing' || state === 'reconnecting');
}

type Summary = 'none' | 'failing' | 'reconnecting' | 'live' | 'waiting' | 'off';

interface ListState {
  readonly kind: Summary;
  readonly tone: Tone;
  /** Rows in that state, and all. */
  readonly count: number;
  readonly total: number;
}

const order = [
  ['failing', 'bad', ['failing']],
  ['reconnecting', 'warn', ['reconnecting']],
  ['live', 'ok', ['live']],
  ['waiting', 'busy', ['waiting', 'starting']],
] as const;

/** State of a whole list, worst first. */
export function summariseRows(rows: readonly Pick<OutletRow, 'process'>[]): ListState {
  const total = rows.length;
  for (const [kind, tone, states] of order) {
    const count = rows.filter(({ process }) => states.some((state) => state === process.state)).length;
    if (count > 0) return { kind, tone, count, total };
  }
  return { kind: total === 0 ? 'none' : 'off', tone: 'off', count: total, total };
}
