import type { Alert } from '@weir/contract';
import type { RecordingRow } from './library/recording-repository.ts';

interface Seen {
  readonly rows: readonly RecordingRow[];
  /** Time since which the disk has no room; undefined while it has. */
  readonly storage: { readonly since: string } | undefined;
  readonly nowMs: number;
}

const place = { page: 'scenario', tab: 'record', child: '' } as const;
/** Lost segments cannot be restored, so the alert ends after a day, which reaches an owner who looks every morning. */
const toldMs = 24 * 3600_000;

/** Alerts of recording: no space, failed files, and gaps. */
export function recordAlerts({ rows, storage, nowMs }: Seen): Alert[] {
  const full: Alert[] = storage
    ? [{ ...blank, kind: 'record-storage', severity: 'bad', since: storage.since, count: 1 }]
    : [];
  return [...full, ...failed(rows, storage !== undefined), ...lost(rows, nowMs)];
}

const blank = { place, subject: '', label: '', cause: '' } as const;

/** Given up and retried files. Those waiting for space are covered by the alert about space. */
function failed(rows: readonly RecordingRow[], isFull: boolean): Alert[] {
  const found = rows.filter(
    ({ state, failure }) => state !== 'recording' && failure !== '' && !(isFull && failure === 'no-space'),
  );
  const oldest = oldestOf(found);
  if (!oldest) return [];
  const severity = found.some(({ state }) => state === 'failed') ? 'bad' : 'warn';
  const since = new Date(oldest.endedAtMs).toISOString();
  const cause = found.every(({ failure }) => failure === oldest.failure) ? oldest.failure : '';
  return [{ ...blank, kind: 'record-failed', severity, since, count: found.length, subject: nameOf(found), cause }];
}

function lost(rows: readonly RecordingRow[], nowMs: number): Alert[] {
  const found = rows.filter(
    ({ lost: segments, state, endedAtMs }) => segments > 0 && (state === 'recording' || nowMs - endedAtMs < toldMs),
  );
  const oldest = oldestOf(found);
  if (!oldest) return [];
  const since = new Date(oldest.startedAtMs).toISOString();
  return [
    { ...blank, kind: 'record-lost', severity: 'warn', since, count: found.length, subject: nameOf(found), cause: '' },
  ];
}

function oldestOf(rows: readonly RecordingRow[]): RecordingRow | undefined {
  return rows.reduce<RecordingRow | undefined>(
    (oldest, row) => (oldest && oldest.startedAtMs <= row.startedAtMs ? oldest : row),
    undefined,
  );
}

/** Name of a single recording; several are counted. */
function nameOf(rows: readonly RecordingRow[]): string {
  const [row, ...others] = rows;
  return row && others.length === 0 ? `${row.app}/${row.stream}` : '';
}
