import { backup, DatabaseSync } from 'node:sqlite';
import type { StoredRow } from './store.ts';

/** Rows of a copy of the settings, read one after the other. */
export function* readStoredRows(file: string): Generator<StoredRow> {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const all = 'SELECT collection, key, value FROM entries ORDER BY collection, key';
    for (const { collection, key, value } of db.prepare(all).iterate())
      yield { collection: String(collection), key: String(key), value: String(value) };
  } finally {
    db.close();
  }
}

/** Number of rows of a table. Undefined if the file is damaged; throws SQLite's error if it is no database or has no such table. */
export function countRows(file: string, table: 'broadcasts' | 'words'): number | undefined {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    if (db.prepare('PRAGMA quick_check(1)').get()?.quick_check !== 'ok') return undefined;
    return Number(db.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count);
  } finally {
    db.close();
  }
}

/** A consistent copy of a database that another process may write. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const db = new DatabaseSync(from, { readOnly: true });
  try {
    await backup(db, to);
  } finally {
    db.close();
  }
}
