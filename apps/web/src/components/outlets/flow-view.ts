import type { OutletRow, ProcessReport } from '@weir/contract';
import type { Tone } from '../ui/feedback/status-label.tsx';

/** A start sends several seconds of media at once; until then the measured bitrate is that burst. */
const burstMs = 10_000;

/** Bitrate worth showing: of a process that is live and past its start. */
export function steadyKbps({ state, since, numbers }: ProcessReport, nowMs: number): number | undefined {
  if (state !== 'live' || numbers?.kbps == null) return undefined;
  return nowMs - Date.parse(since) < burstMs ? undefined : numbers.kbps;
}

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
