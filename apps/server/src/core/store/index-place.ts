import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Log } from '@weir/plane';

interface Directories {
  readonly dataDir: string;
  /** Where it differs, servers take it over from each other, one at a time. */
  readonly filesDir: string;
}

/** Where an index is: with the files it is about. One that was made before they were shared comes along. */
export function indexPlace({ dataDir, filesDir }: Directories, name: string, log: Log): IndexPlace {
  const [own, file] = [join(dataDir, name), join(filesDir, name)];
  const isShared = filesDir !== dataDir;
  if (isShared && existsSync(own) && !existsSync(file)) {
    try {
      // Under another name until it is whole: half of it would be taken for a damaged one.
      const copy = `${file}.copy`;
      rmSync(copy, { force: true });
      const db = new DatabaseSync(own);
      db.prepare('VACUUM INTO ?').run(copy);
      db.close();
      renameSync(copy, file);
    } catch (error) {
      log.error({ err: error, file: name }, 'an index could not be copied to the shared files and begins anew there');
    }
  }
  return { file, isShared };
}

export interface IndexPlace {
  readonly file: string;
  /** On storage whose locks may outlive a machine, or mean nothing: whoever leads is the only one that opens it. */
  readonly isShared: boolean;
}
