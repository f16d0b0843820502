import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pcmOf, prompts, textOf, wavOf } from '../../tests/ai/human-speech.fixture.ts';

/** Text and duration of a video. */
interface Film {
  readonly path: string;
  /** Path of the audio. */
  readonly wav: string;
  readonly text: string;
  readonly seconds: number;
}

const directory = mkdtempSync(join(tmpdir(), 'weir-bench-ai-'));
const bytesPerSecond = 32_000;
const silence = (seconds: number) => Buffer.alloc(seconds * bytesPerSecond);
/** In which built-in AI starts, and listeners join. */
const leadSeconds = 6;
const gapSeconds = 1.2;

/** A person says all prompts, one after the other. */
export const humanFilm = (spoken: readonly string[] = prompts) => filmOf('human', spoken, pcmOf);

/** A synthetic voice says the same. */
export const syntheticFilm = (spoken: readonly string[] = prompts) => filmOf('synthetic', spoken, spokenBySlt);

function filmOf(name: string, prompted: readonly string[], voice: (prompt: string) => Buffer): Film {
  const spoken = prompted.map(voice);
  const pcm = Buffer.concat([silence(leadSeconds), ...spoken.flatMap((one) => [one, silence(gapSeconds)])]);
  const [wav, path] = [join(directory, `${name}.wav`), join(directory, `${name}.mp4`)];
  writeFileSync(wav, wavOf(pcm));
  const picture = ['-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=25', '-i', wav, '-shortest'];
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '0', '-g', '50', '-c:a', 'aac', '-b:a', '96k'];
  execFileSync('ffmpeg', ['-v', 'error', ...picture, ...coding, '-pix_fmt', 'yuv420p', path]);
  return { path, wav, text: prompted.map(textOf).join(' '), seconds: pcm.length / bytesPerSecond };
}

function spokenBySlt(prompt: string): Buffer {
  const file = join(directory, `${prompt}.txt`);
  writeFileSync(file, textOf(prompt));
  const source = ['-f', 'lavfi', '-i', `flite=textfile=${file}:voice=slt`];
  return execFileSync('ffmpeg', ['-v', 'error', ...source, '-ar', '16000', '-ac', '1', '-f', 's16le', '-'], {
    maxBuffer: 64 * 1024 * 1024,
  });
}
