import type { DatabaseSync } from 'node:sqlite';

/**
 * Steps from one version of the database file to the next; its `user_version` counts those done. Steps are only ever
 * added. A change of what a value holds needs none: schema defaults fill in when it is read.
 */
export type Step = (db: DatabaseSync) => void;
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

export function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version ?? 0);
}

/** Brings the file up to date, each step with its version in one transaction: a crash leaves the step before. */
export function migrate(db: DatabaseSync, todo: readonly Step[]): void {
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
