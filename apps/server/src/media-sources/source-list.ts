import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import type { Input } from '@weir/process';
import type { SourceFolders } from './source-folders.ts';

/** Sound often lasts a little longer than its file says. Without this much between two files their timestamps would overlap. */
const pauseSeconds = 0.04;

/** Several files in turn, as a list for ffmpeg. It is named for what it holds, so another order is another input. */
export async function listInput(
  paths: readonly string[],
  seconds: readonly number[],
  folders: SourceFolders,
): Promise<Input> {
  const { concatList } = await import('@weir/process');
  const text = concatList(
    paths.map((path, index) => {
      const length = seconds[index] ?? 0;
      return { path, ...(length > 0 && { seconds: length + pauseSeconds }) };
    }),
  );
  const path = folders.list(createHash('sha256').update(text).digest('hex').slice(0, 32));
  if ((await readFile(path, 'utf8').catch(() => '')) !== text) {
    // Never a half of it under its name, whoever reads meanwhile.
    await writeFile(`${path}.part`, text, { mode: 0o600 });
    await rename(`${path}.part`, path);
  }
  return { kind: 'file-list', path };
}
