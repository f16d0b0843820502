import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';

/**
 * Makes a database and the files beside it readable for this user alone, before SQLite opens them: it gives what it makes beside one the
 * mode of that one. Whatever fails here SQLite tells better.
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
