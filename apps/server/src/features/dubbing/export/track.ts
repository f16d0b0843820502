import { type FileHandle, open, readFile } from 'node:fs/promises';
import { type FilmFiles, voiceRate } from '../film/film-files.ts';
import type { GroupRow } from '../script/rows.ts';
import { duckingKey } from './mix-args.ts';

interface Track {
  readonly files: FilmFiles;
  readonly groups: readonly GroupRow[];
  readonly filmSeconds: number;
}

const bytesPerSample = 2;

/** The voices of a film, each at the sample where its group begins. */
export function writeVoices(path: string, track: Track): Promise<void> {
  return write(path, track, voiceRate, (name) => readFile(track.files.voice(name, 'pcm')));
}

/** Where somebody speaks. */
export function writeDuckingKey(path: string, track: Track): Promise<void> {
  const level = Math.round(duckingKey.level * 32_768);
  return write(path, track, duckingKey.rate, async (_name, seconds) => {
    const samples = new Int16Array(Math.round(seconds * duckingKey.rate)).fill(level);
    return Buffer.from(samples.buffer);
  });
}

/** A file as long as the film. What nobody writes to is silence, and takes no room on the disk. */
async function write(
  path: string,
  { groups, filmSeconds }: Track,
  rate: number,
  pcmOf: (name: string, seconds: number) => Promise<Buffer>,
): Promise<void> {
  const handle = await open(path, 'w', 0o600);
  try {
    const length = Math.round(filmSeconds * rate) * bytesPerSample;
    await handle.truncate(length);
    for (const { start, voice } of groups)
      if (voice)
        await writeWithin(handle, await pcmOf(voice.name, voice.seconds), {
          at: Math.round(start * rate) * bytesPerSample,
          length,
        });
  } finally {
    await handle.close();
  }
}

async function writeWithin(handle: FileHandle, pcm: Buffer, { at, length }: { at: number; length: number }) {
  const fitting = pcm.subarray(0, Math.max(0, length - at));
  if (fitting.length > 0) await handle.write(fitting, 0, fitting.length, at);
}
