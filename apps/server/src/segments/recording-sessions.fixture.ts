import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FinishedSegment } from '@weir/engine-api';
import { onTestFinished } from 'vitest';
import { RecordingSessions } from './recording-sessions.ts';
import { SegmentLog } from './segment-log.ts';
import type { RecordingSession, SessionFacts, SessionOwner } from './session-owner.ts';

/** Stored data of an owner, which outlives the process. */
type Row = SessionFacts & { endedAtMs: number };

/** Sessions over a directory and a clock of ours; `start` is a new process after a kill -9. */
export function sessionsHome() {
  const directory = mkdtempSync(join(tmpdir(), 'weir-sessions-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const rows = new Map<string, Row>();
  const told: string[] = [];
  const clock = { nowMs: 1_700_000_000_000, setMs: 0 };
  const faults: Partial<Record<'begin' | 'keep' | 'end', boolean>> = {};
  const wishes = { isWanted: true, hasRoom: true };
  /** Resolved: keeping a segment takes no time. */
  let gate: Promise<void> = Promise.resolve();
  const failing = (name: keyof typeof faults) => {
    if (faults[name]) throw new Error(`${name} failed`);
  };
  const owner: SessionOwner<{ note: string }> = {
    logFile: (uuid) => join(directory, 'logs', `${uuid}.log`),
    wants: async () => wishes.isWanted,
    begin: async (facts) => {
      failing('begin');
      rows.set(facts.uuid, { ...facts, endedAtMs: 0 });
      told.push(`begin ${facts.stream}`);
      return { note: 'new' };
    },
    keep: async ({ stream }, { sequence }) => {
      await gate;
      failing('keep');
      if (!wishes.hasRoom) return undefined;
      told.push(`keep ${stream} ${sequence}`);
      return 100;
    },
    kept: async ({ stream }, { sequence, isDiscontinuity }) => {
      if (isDiscontinuity) told.push(`seam ${stream} ${sequence}`);
    },
    failed: async ({ stream, sequence }) => void told.push(`failed ${stream} ${sequence}`),
    resumed: async ({ stream, data, totals }) => void told.push(`resumed ${stream} ${data.note} ${totals.segments}`),
    end: async ({ uuid }) => {
      failing('end');
      const row = rows.get(uuid);
      if (row) row.endedAtMs = clock.nowMs;
    },
    discard: async (uuid) => {
      rows.delete(uuid);
      rmSync(owner.logFile(uuid), { force: true });
    },
    ended: ({ stream, totals }, reason) => void told.push(`ended ${stream} ${totals.segments} ${reason}`),
  };
  const start = async () => {
    const sessions = new RecordingSessions(owner, {
      dateMs: () => clock.nowMs + clock.setMs,
      elapsedMs: () => clock.nowMs,
    });
    const all = [...rows.values()];
    const open = all.filter(({ endedAtMs }) => endedAtMs === 0).map((row) => ({ ...row, data: { note: 'old' } }));
    await sessions.resume({ open, ended: all.filter(({ endedAtMs }) => endedAtMs > 0) });
    return sessions;
  };
  const logOf = ({ uuid }: SessionFacts) => new SegmentLog(owner.logFile(uuid)).read();
  const hold = () => {
    const held = Promise.withResolvers<void>();
    gate = held.promise;
    return held.resolve;
  };
  return { directory, owner, rows, told, clock, faults, wishes, start, logOf, hold };
}

let count = 0;
export function segment(sequence: number, change: Partial<FinishedSegment> = {}): FinishedSegment {
  count++;
  return {
    id: `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`,
    format: 'mpegts',
    vhost: '__defaultVhost__',
    app: 'live',
    stream: 'a',
    clientId: 'c',
    file: '/x.ts',
    durationMs: 2000,
    sequence,
    isDiscontinuity: false,
    ...change,
  };
}

/** The one session that is open. */
export function only(sessions: RecordingSessions<{ note: string }>): RecordingSession<{ note: string }> {
  const [session, ...others] = sessions.open;
  if (!session || others.length > 0) throw new Error('not one session');
  return session;
}
