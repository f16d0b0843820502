import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';

const run = promisify(execFile);
let directory: string | undefined;
afterAll(() => {
  if (directory !== undefined) rmSync(directory, { recursive: true });
  directory = undefined;
});

interface Film {
  readonly name: string;
  readonly seconds?: number;
  readonly size?: string;
  readonly tone?: number;
  readonly codec?: readonly string[];
}

/** A real film made by ffmpeg; its path. */
export async function makeFilm({
  name,
  seconds = 2,
  size = '320x180',
  tone = 440,
  codec = ['-c:v', 'libx264', '-preset', 'ultrafast'],
}: Film): Promise<string> {
  directory ??= mkdtempSync(join(tmpdir(), 'weir-films-'));
  const path = join(directory, name);
  const picture = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=25`];
  const sound = ['-f', 'lavfi', '-i', `sine=frequency=${tone}:sample_rate=44100`];
  const track = [...codec, '-pix_fmt', 'yuv420p', '-g', '25', '-c:a', 'aac', '-ac', '2'];
  await run('ffmpeg', ['-v', 'error', '-y', ...picture, ...sound, '-t', String(seconds), ...track, path]);
  return path;
}
