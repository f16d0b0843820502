import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { publishFile } from '../library/recording-files.ts';

/** Copies are for other programs of the owner's: unlike our own files, their group may read them. */
const copyMode = 0o640;

interface Copy {
  readonly from: string;
  readonly directory: string;
  readonly name: string;
  readonly onPercent: (percent: number) => void;
  readonly signal: AbortSignal;
}

/** A copy that appears under its name when it is whole and on the disk; what watches the directory sees nothing else. */
export async function copyWhole({ from, directory, name, onPercent, signal }: Copy): Promise<string> {
  const { size } = await stat(from);
  const temporary = join(directory, `.${name}.tmp`);
  const file = join(directory, name);
  let bytes = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      onPercent(Math.min(99, Math.round((100 * bytes) / Math.max(1, size))));
      done(null, chunk);
    },
  });
  try {
    await pipeline(createReadStream(from), meter, createWriteStream(temporary, { mode: copyMode }), { signal });
    // The umask of this process is stricter. A mounted bucket may have no modes.
    await chmod(temporary, copyMode).catch(() => undefined);
    await publishFile(temporary, file, directory);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  return file;
}
