import { open, readFile } from 'node:fs/promises';
import { type FilmFiles, voiceRate } from '../film/film-files.ts';
import type { GroupRow } from '../script/rows.ts';

const bytesPerSample = 2;

/**
 * Writes the voices of a film into one file that is as long as the film, each at the sample where its group begins. What nobody writes to is
 * silence, and takes no room on the disk.
 */
export async function writeTrack(
  path: string,
  {
    files,
    groups,
    filmSeconds,
  }: { readonly files: FilmFiles; readonly groups: readonly GroupRow[]; readonly filmSeconds: number },
): Promise<void> {
  const handle = await open(path, 'w', 0o600);
  try {
    const length = sampleAt(filmSeconds) * bytesPerSample;
    await handle.truncate(length);
    for (const { start, voice } of groups) {
      if (!voice) continue;
      const at = sampleAt(start) * bytesPerSample;
      const pcm = await readFile(files.voice(voice.name, 'pcm'));
      const fitting = pcm.subarray(0, Math.max(0, length - at));
      if (fitting.length > 0) await handle.write(fitting, 0, fitting.length, at);
    }
  } finally {
    await handle.close();
  }
}

function sampleAt(seconds: number): number {
  return Math.round(seconds * voiceRate);
}
