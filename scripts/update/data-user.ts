import { lstatSync } from 'node:fs';
import process from 'node:process';

/**
 * The user of the service, who owns the data. What root reads and writes there happens with that user's rights: whoever took the service over
 * could have put links in its place.
 */
export class DataUser {
  readonly #uid: number;
  readonly #gid: number;

  constructor(dataDir: string) {
    const { uid, gid } = lstatSync(dataDir);
    this.#uid = uid;
    this.#gid = gid;
    if (process.getuid?.() === 0) process.setgroups?.([]);
  }

  run<R>(work: () => R): R {
    if (process.getuid?.() !== 0) return work();
    process.setegid?.(this.#gid);
    process.seteuid?.(this.#uid);
    try {
      return work();
    } finally {
      process.seteuid?.(0);
      process.setegid?.(0);
    }
  }
}
