import { createReadStream } from 'node:fs';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { readOutTimeMs, runJobTool } from '../../../process-reports/job-tool.ts';
import { type FilmFiles, speechRate } from './film-files.ts';
import { framesPerSecond, LoudnessMeter } from './loudness.ts';

interface Sound {
  /** Path of the video. */
  readonly path: string;
  readonly files: FilmFiles;
  /** Length of the film by its container. Nothing beyond it is used. */
  readonly seconds: number;
  readonly hasVideo: boolean;
  readonly onShare: (share: number) => void;
  readonly signal: AbortSignal;
}

const quietMs = 60_000;

/** Takes the sound out of a film and says how loud it is. Safe to repeat: what is not whole has another name. */
export async function extractAudio({ path, files, seconds, hasVideo, onShare, signal }: Sound): Promise<Uint8Array> {
  await files.make();
  const part = files.scratch('speech');
  const { fileOptions } = await import('@weir/process');
  await runJobTool({
    command: 'ffmpeg',
    args: [
      '-nostdin',
      '-y',
      '-v',
      'error',
      '-progress',
      'pipe:1',
      ...fileOptions,
      // Gaps are filled, and the times of a few packets may claim years of them.
      '-t',
      String(Math.ceil(seconds) + 1),
      '-i',
      `file:${path}`,
      '-map',
      '0:a:0',
      '-vn',
      // A gap becomes silence, also before the first sound: then a byte is a time.
      '-af',
      `aresample=${speechRate}:async=1:first_pts=0`,
      '-ac',
      '1',
      '-f',
      's16le',
      part,
      // ffmpeg starts the clock of a transport stream with the streams in use, so the video is mapped too.
      ...(hasVideo ? ['-map', '0:v:0', '-c:v', 'copy', '-f', 'null', '-'] : []),
    ],
    quietMs,
    onOutput: (text) => {
      const outMs = readOutTimeMs(text);
      if (outMs !== undefined) onShare(Math.min(1, outMs / 1000 / Math.max(1, seconds)));
    },
    signal,
  });
  const meter = new LoudnessMeter();
  for await (const chunk of createReadStream(part, { highWaterMark: 1024 * 1024, signal })) meter.push(chunk as Buffer);
  await rename(part, files.speech);
  await writeFile(`${files.levels}.part`, meter.levels, { mode: 0o600 });
  await rename(`${files.levels}.part`, files.levels);
  return meter.levels;
}

export async function deleteAudio(files: FilmFiles): Promise<void> {
  await rm(files.levels, { force: true });
  await rm(files.speech, { force: true });
}

/** Reads the levels; undefined unless the extracted audio is complete. */
export async function readLevels(files: FilmFiles): Promise<Uint8Array | undefined> {
  const levels = await readFile(files.levels).catch(() => undefined);
  if (!levels) return undefined;
  const bytes = (await stat(files.speech).catch(() => undefined))?.size ?? 0;
  const frames = Math.floor(bytes / ((speechRate / framesPerSecond) * 2));
  return frames === levels.length ? levels : undefined;
}
