import { chmodSync, existsSync, rmSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { backup, DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Log } from '@weir/plane';
import type * as z from 'zod';
import { type Clock, systemClock } from '../clock.ts';
import { WeirError } from '../errors.ts';
import { keepPrivate } from './private-database.ts';
import { SingleValues } from './setting.ts';
import { type Collection, filterReadable, parseStored, type Store, type StoredRow } from './store.ts';
import { UnreadableEntries } from './unreadable-entries.ts';

/**
 * Migrations of the database file; `user_version` counts the applied ones. Append only. Changed values need none: schema defaults fill
 * missing fields on read.
 */
type Step = (db: DatabaseSync) => void;
export const steps: readonly Step[] = [
  (db) =>
    db.exec(`
      CREATE TABLE entries (
        collection TEXT NOT NULL,
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        updated_at INTEGER NOT NULL,
        PRIMARY KEY (collection, key)
      ) STRICT, WITHOUT ROWID
    `),
];

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version ?? 0);
}

/** Brings the file up to date, each step with its version in one transaction: a crash leaves the step before. */
function migrate(db: DatabaseSync, todo: readonly Step[]): void {
  for (let version = versionOf(db); version < todo.length; version++) {
    db.exec('BEGIN IMMEDIATE');
    try {
      todo[version]?.(db);
      db.exec(`PRAGMA user_version = ${version + 1}`);
      db.exec('COMMIT');
    } catch (error) {
      db.exec('ROLLBACK');
      throw error;
    }
  }
}

/** The open file with its statements, prepared once. */
interface Connection {
  readonly db: DatabaseSync;
  readonly get: StatementSync;
  readonly list: StatementSync;
  readonly put: StatementSync;
  readonly insert: StatementSync;
  readonly delete: StatementSync;
}

/**
 * Settings in one SQLite file. A write is on the disk before it is confirmed (WAL with synchronous=FULL). The file
 * is opened by the first call and again after a failure, so that a disk that comes back is enough to recover.
 */
export class SqliteStore extends SingleValues implements Store {
  readonly #file: string;
  readonly #log: Log;
  readonly #steps: readonly Step[];
  readonly #clock: Clock;
  #connection: Connection | undefined;
  #isClosed = false;
  readonly #leftOut: UnreadableEntries;

  constructor(file: string, log: Log, migrations = steps, clock: Clock = systemClock) {
    super();
    this.#file = file;
    this.#log = log;
    this.#leftOut = new UnreadableEntries(log);
    this.#steps = migrations;
    this.#clock = clock;
  }

  collection<Schema extends z.ZodType>(name: string, schema: Schema): Collection<z.output<Schema>> {
    type T = z.output<Schema>;
    const parse = (key: string, text: unknown): T => parseStored(schema, `${name}/${key}`, String(text));
    const serialise = (value: T) => JSON.stringify(schema.parse(value));
    const read = ({ get }: Connection, key: string): T | undefined => {
      const row = get.get(name, key);
      return row === undefined ? undefined : parse(key, row.value);
    };
    return {
      get: async (key) => this.#use((c) => read(c, key)),
      list: async () =>
        this.#use((c) => {
          const entry = (row: Record<string, unknown>) => {
            const key = String(row.key);
            return { key, value: parse(key, row.value) };
          };
          return filterReadable(c.list.all(name), entry, (error) => this.#leftOut.tell(error));
        }),
      put: async (key, value) => void this.#use((c) => c.put.run(name, key, serialise(value), this.#clock.dateMs())),
      insert: async (key, value) =>
        this.#use((c) => Number(c.insert.run(name, key, serialise(value), this.#clock.dateMs()).changes) > 0),
      update: async (key, change) =>
        this.#use((c) => {
          // The synchronous step excludes concurrent changes between read and write.
          const value = change(read(c, key));
          c.put.run(name, key, serialise(value), this.#clock.dateMs());
          return value;
        }),
      delete: async (key) => this.#use((c) => Number(c.delete.run(name, key).changes) > 0),
      apply: async (changes) => {
        // Before anything is written: a value that does not fit must not leave half of them.
        const rows = changes.map(({ key, value }) => ({
          key,
          text: value === undefined ? undefined : serialise(value),
        }));
        this.#use((c) =>
          inOneStep(c.db, () => {
            for (const { key, text } of rows) {
              if (text === undefined) c.delete.run(name, key);
              else c.put.run(name, key, text, this.#clock.dateMs());
            }
          }),
        );
      },
    };
  }

  async check(): Promise<void> {
    this.#use(({ db }) => db.prepare('SELECT count(*) FROM entries').get());
  }

  async backup(file: string): Promise<void> {
    const partial = `${file}.partial`;
    const { db } = this.#use((connection) => connection);
    try {
      await rm(partial, { force: true });
      await backup(db, partial);
      chmodSync(partial, 0o600);
      await rename(partial, file);
    } catch (cause) {
      throw new WeirError('store_unavailable', 'the backup of the settings could not be written', { cause });
    }
  }

  /** All rows as stored. */
  async rows(): Promise<StoredRow[]> {
    const all = 'SELECT collection, key, value FROM entries ORDER BY collection, key';
    return this.#use(({ db }) => db.prepare(all).all()) as unknown as StoredRow[];
  }

  /** Replaces all rows in one step. */
  async replaceRows(rows: readonly StoredRow[]): Promise<void> {
    this.#use(({ db, put }) =>
      inOneStep(db, () => {
        db.exec('DELETE FROM entries');
        for (const { collection, key, value } of rows) put.run(collection, key, value, this.#clock.dateMs());
      }),
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#drop();
  }

  #use<R>(work: (connection: Connection) => R): R {
    if (this.#isClosed) throw new WeirError('store_unavailable', 'the server is stopping');
    try {
      this.#connection ??= this.#open();
      return work(this.#connection);
    } catch (error) {
      if (!isSqliteError(error)) throw error;
      this.#drop();
      this.#log.error({ err: error }, 'store failed');
      throw new WeirError('store_unavailable', `settings cannot be read or written right now: ${reasonOf(error)}`, {
        cause: error,
      });
    }
  }

  #open(): Connection {
    keepPrivate(this.#file);
    const db = new DatabaseSync(this.#file, { timeout: 5000 });
    try {
      // SQLite may read an incomplete copy as empty, which would make this a new server.
      if (db.prepare('PRAGMA quick_check(1)').get()?.quick_check !== 'ok') {
        throw new WeirError('store_unavailable', `settings cannot be read or written right now: ${damaged}`);
      }
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
      const version = versionOf(db);
      if (version > this.#steps.length) {
        throw new WeirError(
          'store_unavailable',
          `the settings were written by a newer version of Weir (format ${version}, this version supports ${this.#steps.length}); ${this.#wayBack()}`,
        );
      }
      if (version > 0 && version < this.#steps.length) this.#copyBeforeMigration(db, version);
      migrate(db, this.#steps);
      const where = 'WHERE collection = ? AND key = ?';
      const into = 'INTO entries (collection, key, value, updated_at) VALUES (?, ?, ?, ?)';
      return {
        db,
        get: db.prepare(`SELECT value FROM entries ${where}`),
        list: db.prepare('SELECT key, value FROM entries WHERE collection = ? ORDER BY key'),
        put: db.prepare(`INSERT OR REPLACE ${into}`),
        insert: db.prepare(`INSERT OR IGNORE ${into}`),
        delete: db.prepare(`DELETE FROM entries ${where}`),
      };
    } catch (error) {
      db.close();
      throw error;
    }
  }

  /** Advice for somebody who went back to an older version. */
  #wayBack(): string {
    const formats = this.#steps.map((_step, index) => index + 1);
    const copy = formats.map((format) => `${this.#file}.format-${format}`).findLast((file) => existsSync(file));
    if (!copy) return 'install that version again, or restore a backup';
    const day = statSync(copy).mtime.toISOString().slice(0, 16).replace('T', ' ');
    return `install that version again, or stop the server and run "weir old-settings", which puts back those of ${day} UTC`;
  }

  /** The way back to the release before: the file as that release left it. */
  #copyBeforeMigration(db: DatabaseSync, version: number): void {
    const copy = `${this.#file}.format-${version}`;
    rmSync(copy, { force: true });
    db.prepare('VACUUM INTO ?').run(copy);
    chmodSync(copy, 0o600);
    this.#log.info(
      { from: version, to: this.#steps.length },
      'settings file upgraded, the old file is kept next to it',
    );
  }

  #drop(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.db.close();
  }
}

function inOneStep(db: DatabaseSync, work: () => void): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    work();
    db.exec('COMMIT');
  } catch (error) {
    // Closing the file after a failure does the same; a failure of this would hide the cause.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

interface SqliteError extends Error {
  readonly code: 'ERR_SQLITE_ERROR';
  readonly errcode: number;
}

function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
}

const damaged = 'the file is damaged; daily backups are in the backup directory';

/** Primary result codes of SQLite, in words that say what to look at. */
const reasons: Record<number, string> = {
  5: 'another program is using the file',
  8: 'the data directory is read-only',
  10: 'the disk reports an error',
  11: damaged,
  13: 'the disk is full',
  14: 'the file cannot be opened; check the data directory',
  26: damaged,
};

function reasonOf({ errcode }: SqliteError): string {
  return reasons[errcode & 0xff] ?? 'see the server log';
}
