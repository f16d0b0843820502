import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';

/**
 * Makes a database and its side files private before SQLite opens them, because SQLite copies the mode of the database. Errors are left
 * to SQLite, which describes them better.
 */
export function keepPrivate(file: string): void {
  try {
    closeSync(openSync(file, 'a', 0o600));
    for (const each of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`])
      if (existsSync(each)) chmodSync(each, 0o600);
  } catch {
    // A file system without modes, or a directory that is not there.
  }
}
