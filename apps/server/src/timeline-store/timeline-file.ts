import type { Broadcast, TimelineEntry } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { WirePlace } from '@weir/streams';
import { IndexFile } from '../core/store/index-file.ts';
import type { IndexPlace } from '../core/store/index-place.ts';
import { type BroadcastRow, type EntryRow, toBroadcast, toTimelineEntry } from './broadcast-row.ts';

/** Broadcasts and what happened in them. `seen_ms`: when a running one was last known to run. */
const timelineTables = {
  version: 1,
  tables: `
  CREATE TABLE broadcasts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    vhost TEXT NOT NULL,
    app TEXT NOT NULL,
    stream TEXT NOT NULL,
    client TEXT NOT NULL,
    began_ms INTEGER NOT NULL,
    ended_ms INTEGER,
    seen_ms INTEGER NOT NULL,
    peak INTEGER NOT NULL DEFAULT 0,
    good_ms INTEGER NOT NULL DEFAULT 0,
    ok_ms INTEGER NOT NULL DEFAULT 0,
    bad_ms INTEGER NOT NULL DEFAULT 0,
    recordings TEXT NOT NULL DEFAULT '[]',
    left_out INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX broadcasts_place ON broadcasts (app, stream, vhost, id);
  CREATE INDEX broadcasts_open ON broadcasts (id) WHERE ended_ms IS NULL;
  CREATE TABLE entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    broadcast INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    until_ms INTEGER NOT NULL,
    count INTEGER NOT NULL,
    what TEXT NOT NULL,
    facts TEXT NOT NULL,
    numbers TEXT NOT NULL
  ) STRICT;
  CREATE INDEX entries_broadcast ON entries (broadcast, id);
  CREATE TRIGGER broadcasts_deleted AFTER DELETE ON broadcasts BEGIN DELETE FROM entries WHERE broadcast = old.id; END;
`,
};

/** Retention limits; see `timelineLimits`. */
export interface TimelineLimits {
  readonly entries: number;
  readonly firstEntries: number;
  readonly broadcasts: number;
  readonly bytes: number;
}

/** An entry as it is written: texts have passed the redaction. */
interface WrittenEntry {
  readonly atMs: number;
  readonly what: string;
  readonly facts: string;
  readonly numbers: string;
}

/** Equal entries within this time that are stored one by one; further ones update the count of the last. */
const mostEqual = 5;
const equalMs = 10 * 60_000;
const mostRecordings = 20;
const removedAtOnce = 20;
const selected = `SELECT *, (SELECT count(*) FROM entries WHERE broadcast = broadcasts.id) AS entries FROM broadcasts`;

/** Broadcasts and their entries on the disk. Throws what SQLite throws. */
export class TimelineFile {
  readonly #file: IndexFile;
  readonly #limits: TimelineLimits;

  constructor(place: IndexPlace, limits: TimelineLimits, log: Log) {
    this.#file = new IndexFile(place, timelineTables, log);
    this.#limits = limits;
  }

  begin({ vhost, app, stream }: WirePlace, client: string, beganMs: number): number {
    return this.#file.together(() => {
      const insert = 'INSERT INTO broadcasts (vhost, app, stream, client, began_ms, seen_ms) VALUES (?, ?, ?, ?, ?, ?)';
      this.#file.run(insert, vhost, app, stream, client, beganMs, beganMs);
      return this.#file.all<{ id: number }>('SELECT last_insert_rowid() AS id')[0]?.id ?? 0;
    });
  }

  /** Continues a broadcast whose publisher returned. */
  resume(id: number, client: string): void {
    this.#file.run('UPDATE broadcasts SET ended_ms = NULL, client = ? WHERE id = ?', client, id);
  }

  end(id: number, endedMs: number): void {
    this.#file.run('UPDATE broadcasts SET ended_ms = max(began_ms, ?) WHERE id = ?', endedMs, id);
  }

  seen(nowMs: number): void {
    this.#file.run('UPDATE broadcasts SET seen_ms = ? WHERE ended_ms IS NULL', nowMs);
  }

  peak(id: number, viewers: number): void {
    this.#file.run('UPDATE broadcasts SET peak = max(peak, ?) WHERE id = ?', viewers, id);
  }

  judged(id: number, verdict: 'good' | 'ok' | 'bad', ms: number): void {
    this.#file.run(`UPDATE broadcasts SET ${verdict}_ms = ${verdict}_ms + ? WHERE id = ?`, Math.round(ms), id);
  }

  addRecording(id: number, uuid: string): void {
    const known = JSON.parse(this.row(id)?.recordings ?? '[]') as string[];
    if (known.includes(uuid)) return;
    const all = JSON.stringify([...known, uuid].slice(-mostRecordings));
    this.#file.run('UPDATE broadcasts SET recordings = ? WHERE id = ?', all, id);
  }

  add(ids: readonly number[], entry: WrittenEntry): void {
    this.#file.together(() => {
      for (const id of ids) this.#addOne(id, entry);
    });
  }

  row(id: number): BroadcastRow | undefined {
    return this.#file.all<BroadcastRow>(`${selected} WHERE id = ?`, id)[0];
  }

  newestOf({ vhost, app, stream }: WirePlace): BroadcastRow | undefined {
    const where = 'WHERE app = ? AND stream = ? AND vhost = ? ORDER BY id DESC LIMIT 1';
    return this.#file.all<BroadcastRow>(`${selected} ${where}`, app, stream, vhost)[0];
  }

  running(): BroadcastRow[] {
    return this.#file.all<BroadcastRow>(`${selected} WHERE ended_ms IS NULL`);
  }

  /** Newest first. An empty name means all streams. */
  list({ vhost, app, stream }: WirePlace, { before, most }: { before: number; most: number }, nowMs: number) {
    const isOne = app !== '' || stream !== '';
    const where = isOne ? 'WHERE app = ? AND stream = ? AND vhost = ? AND id < ?' : 'WHERE id < ?';
    const below = before === 0 ? Number.MAX_SAFE_INTEGER : before;
    const rows = this.#file.all<BroadcastRow>(
      `${selected} ${where} ORDER BY id DESC LIMIT ?`,
      ...(isOne ? [app, stream, vhost] : []),
      ...[below, most + 1],
    );
    const broadcasts: Broadcast[] = rows.slice(0, most).map((row) => toBroadcast(row, nowMs));
    return { broadcasts, hasMore: rows.length > most };
  }

  /** Newest first. */
  entries(id: number, most: number): TimelineEntry[] {
    const found = 'SELECT * FROM entries WHERE broadcast = ? ORDER BY at_ms DESC, id DESC LIMIT ?';
    return this.#file.all<EntryRow>(found, id, most).map(toTimelineEntry);
  }

  /** The facts of the last entry of a kind, as they were written. */
  lastFacts(id: number, what: string): string | undefined {
    const found = 'SELECT facts FROM entries WHERE broadcast = ? AND what = ? ORDER BY until_ms DESC, id DESC LIMIT 1';
    return this.#file.all<{ facts: string }>(found, id, what)[0]?.facts;
  }

  /** Removes what is too much: the oldest broadcasts that are over. */
  tidy(): void {
    const oldest = 'SELECT id FROM broadcasts WHERE ended_ms IS NOT NULL ORDER BY id LIMIT ?';
    const remove = (most: number) => this.#file.run(`DELETE FROM broadcasts WHERE id IN (${oldest})`, most);
    const [{ count = 0 } = {}] = this.#file.all<{ count: number }>('SELECT count(*) AS count FROM broadcasts');
    if (count > this.#limits.broadcasts) remove(count - this.#limits.broadcasts);
    while (this.bytes() > this.#limits.bytes) if (remove(removedAtOnce) === 0) break;
  }

  /** Used size of the file, without free pages. */
  count(): number {
    return this.#file.all<{ count: number }>('SELECT count(*) AS count FROM broadcasts')[0]?.count ?? 0;
  }

  /** Writes a consistent copy while work goes on; false if there is nothing to copy. */
  copyTo(file: string): Promise<boolean> {
    return this.#file.copyTo(file);
  }

  bytes(): number {
    const [facts] = this.#file.all<{ bytes: number }>(
      `SELECT (page_count - freelist_count) * page_size AS bytes
       FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
    );
    return facts?.bytes ?? 0;
  }

  close(): void {
    this.#file.close();
  }

  #addOne(id: number, { atMs, what, facts, numbers }: WrittenEntry): void {
    const equal = this.#file.all<{ id: number }>(
      `SELECT id FROM entries WHERE broadcast = ? AND what = ? AND facts = ? AND until_ms > ? ORDER BY id DESC LIMIT ?`,
      ...[id, what, facts, atMs - equalMs, mostEqual],
    );
    const [last] = equal;
    if (last && equal.length >= mostEqual) {
      const again = 'UPDATE entries SET count = count + 1, until_ms = ?, numbers = ? WHERE id = ?';
      this.#file.run(again, atMs, numbers, last.id);
      return;
    }
    const insert =
      'INSERT INTO entries (broadcast, at_ms, until_ms, count, what, facts, numbers) VALUES (?, ?, ?, 1, ?, ?, ?)';
    this.#file.run(insert, id, atMs, atMs, what, facts, numbers);
    this.#cut(id);
  }

  /** The first entries tell how it began; after them the oldest go. */
  #cut(id: number): void {
    const count = 'SELECT count(*) AS count FROM entries WHERE broadcast = ?';
    const over = (this.#file.all<{ count: number }>(count, id)[0]?.count ?? 0) - this.#limits.entries;
    if (over <= 0) return;
    const oldest = 'SELECT id FROM entries WHERE broadcast = ? ORDER BY id LIMIT ? OFFSET ?';
    this.#file.run(`DELETE FROM entries WHERE id IN (${oldest})`, id, over, this.#limits.firstEntries);
    this.#file.run('UPDATE broadcasts SET left_out = left_out + ? WHERE id = ?', over, id);
  }
}
