import { existsSync, renameSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { backup, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { Log } from '@weir/plane';
import type { IndexPlace } from './index-place.ts';
import { keepPrivate } from './private-database.ts';

/** Version of the tables. A file of another version is created again. */
interface Form {
  readonly version: number;
  readonly tables: string;
}

/**
 * SQLite file beside the settings for derived data. Created by the first `together`, survives a killed process, and may be lost: an
 * unreadable one is removed and rebuilt.
 */
export class IndexFile {
  readonly #file: string;
  readonly #isShared: boolean;
  readonly #leftAs: string | undefined;
  readonly #form: Form;
  readonly #log: Log;
  #db: DatabaseSync | undefined;
  readonly #statements = new Map<string, StatementSync>();
  #isClosed = false;

  constructor({ file, isShared, leftAs }: IndexPlace, form: Form, log: Log) {
    this.#file = file;
    this.#isShared = isShared;
    this.#leftAs = leftAs;
    this.#form = form;
    this.#log = log;
  }

  /** Returns the number of changed rows; 0 without a file. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return this.#isThere ? this.#use((db) => Number(this.#statement(db, sql).run(...values).changes)) : 0;
  }

  all<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#isThere ? this.#use((db) => this.#statement(db, sql).all(...values) as Row[]) : [];
  }

  /** Runs in one transaction. Creates the file. */
  together<R>(work: () => R): R {
    return this.#use((db) => {
      db.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        db.exec('COMMIT');
        return result;
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK');
        throw error;
      }
    });
  }

  /** Writes a consistent copy while work goes on; false if there is nothing to copy. */
  async copyTo(file: string): Promise<boolean> {
    if (!this.#isThere) return false;
    await this.#use((db) => backup(db, file));
    return true;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#drop();
    if (this.#leftAs !== undefined && existsSync(this.#file)) this.#leave(this.#leftAs);
  }

  /** Marks the file as cleanly closed, so that the next leader need not copy it. */
  #leave(as: string): void {
    try {
      rmSync(`${this.#file}-journal`, { force: true });
      renameSync(this.#file, as);
    } catch (error) {
      this.#log.error({ err: error, file: basename(this.#file) }, 'index file could not be renamed');
    }
  }

  get #isThere(): boolean {
    return this.#db !== undefined || existsSync(this.#file);
  }

  /** Prepared once; there are a dozen. */
  #statement(db: DatabaseSync, sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #use<R>(work: (db: DatabaseSync) => R): R {
    if (this.#isClosed) throw new Error('the index is closed');
    this.#db ??= this.#open();
    try {
      return work(this.#db);
    } catch (error) {
      if (isDamage(error)) this.#putAway(error);
      throw error;
    }
  }

  #open(): DatabaseSync {
    try {
      return this.#openFile();
    } catch (error) {
      if (!isDamage(error) && !(error instanceof OtherVersion)) throw error;
      this.#putAway(error);
      return this.#openFile();
    }
  }

  #openFile(): DatabaseSync {
    const address = pathToFileURL(this.#file);
    // A lock of a machine that lost its power may stay for minutes. A write-ahead log would need locks.
    if (this.#isShared) address.searchParams.set('nolock', '1');
    keepPrivate(this.#file);
    const db = new DatabaseSync(address, { timeout: 2000 });
    try {
      db.exec(`PRAGMA journal_mode = ${this.#isShared ? 'TRUNCATE' : 'WAL'}; PRAGMA synchronous = NORMAL;`);
      const { version, tables } = this.#form;
      const found = Number(db.prepare('PRAGMA user_version').get()?.user_version);
      if (found === 0) db.exec(`BEGIN IMMEDIATE; ${tables} PRAGMA user_version = ${version}; COMMIT;`);
      else if (found !== version) throw new OtherVersion(`format ${found}`);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  }

  #putAway(error: unknown): void {
    this.#log.error({ err: error, file: basename(this.#file) }, 'an index was damaged, starting an empty one');
    this.#drop();
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${this.#file}${end}`, { force: true });
  }

  #drop(): void {
    const db = this.#db;
    this.#db = undefined;
    this.#statements.clear();
    db?.close();
  }
}

class OtherVersion extends Error {}

/** SQLite's codes for a file that is torn, or none of its own. */
function isDamage(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  return code === 11 || code === 26;
}
