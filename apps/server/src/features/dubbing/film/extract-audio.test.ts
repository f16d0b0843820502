import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { extractAudio } from './extract-audio.ts';
import { FilmFiles, speechRate } from './film-files.ts';

/** Identifier and length of Matroska's duration, whose value of eight bytes follows. */
const durationElement = Buffer.from([0x44, 0x89, 0x88]);

/** A second of sound with an hour between two packets. The container claims a length of ten seconds. */
function makeFilmWithGaps(path: string): void {
  const gaps = ['-bsf:a', 'setts=ts=TS+N*3600*1000'];
  const args = ['-v', 'error', '-f', 'lavfi', '-i', 'sine=duration=1', '-c:a', 'aac'];
  execFileSync('ffmpeg', [...args, ...gaps, path]);
  const film = readFileSync(path);
  film.writeDoubleBE(10_000, film.indexOf(durationElement) + durationElement.length);
  writeFileSync(path, film);
}

it('S17: extracts no more sound than the length of the film, whatever its timestamps claim', async () => {
  const home = mkdtempSync(join(tmpdir(), 'weir-sound-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const path = join(home, 'gaps.mkv');
  makeFilmWithGaps(path);
  const files = new FilmFiles(home, randomUUID());
  const { signal } = new AbortController();
  await extractAudio({ path, files, seconds: 10, hasVideo: false, onShare: () => undefined, signal });
  expect(statSync(files.speech).size).toBeLessThanOrEqual(11 * speechRate * 2);
});
