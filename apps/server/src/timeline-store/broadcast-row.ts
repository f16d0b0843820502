import type { Broadcast, TimelineEntry, TimelineEventKind } from '@weir/contract';

export interface BroadcastRow {
  readonly id: number;
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  readonly client: string;
  readonly began_ms: number;
  readonly ended_ms: number | null;
  readonly seen_ms: number;
  readonly peak: number;
  readonly good_ms: number;
  readonly ok_ms: number;
  readonly bad_ms: number;
  readonly recordings: string;
  readonly left_out: number;
  readonly entries: number;
}

export interface EntryRow {
  readonly id: number;
  readonly at_ms: number;
  readonly until_ms: number;
  readonly count: number;
  readonly what: string;
  readonly facts: string;
  readonly numbers: string;
}

/** From this part of its time on, a broadcast was not good. */
const notablePart = 0.1;

export function toBroadcast(row: BroadcastRow, nowMs: number): Broadcast {
  const { id, vhost, app, stream, began_ms, ended_ms, peak, left_out, entries } = row;
  const judgedMs = row.good_ms + row.ok_ms + row.bad_ms;
  const part = (ms: number) => (judgedMs === 0 ? 0 : Math.round((ms / judgedMs) * 1000) / 1000);
  const [good, ok, bad] = [part(row.good_ms), part(row.ok_ms), part(row.bad_ms)];
  const worst = bad >= notablePart ? 'bad' : ok + bad >= notablePart ? 'ok' : 'good';
  return {
    id,
    vhost,
    app,
    stream,
    good,
    ok,
    bad,
    entries,
    beganAt: iso(began_ms),
    endedAt: ended_ms === null ? '' : iso(ended_ms),
    seconds: Math.max(0, Math.round(((ended_ms ?? nowMs) - began_ms) / 1000)),
    verdict: judgedMs === 0 ? 'none' : worst,
    peakViewers: peak,
    recordings: JSON.parse(row.recordings) as string[],
    deletedRecordings: 0,
    leftOut: left_out,
  };
}

export function toTimelineEntry({ id, at_ms, until_ms, count, what, facts, numbers }: EntryRow): TimelineEntry {
  return {
    id,
    count,
    at: iso(at_ms),
    until: count > 1 ? iso(until_ms) : '',
    what: what as TimelineEventKind,
    facts: JSON.parse(facts) as Record<string, string>,
    numbers: JSON.parse(numbers) as Record<string, number>,
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
