import { mkdtempSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { afterAll } from 'vitest';
import { madeOnce } from '../../../../tests/made-once.fixture.ts';

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
  const length = ['-t', String(seconds)];
  await copyFile(madeOnce([...picture, ...sound, ...length, ...track], extname(name).slice(1)), path);
  return path;
}
