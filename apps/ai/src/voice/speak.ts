import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeWav } from '@weir/media/wav';
import { runTool } from '@weir/process';
import type { SherpaRuntime } from '../speech/sherpa-runtime.ts';
import type { Voice } from './voices.ts';

export type AudioFormat = 'wav' | 'aac' | 'mp3';

const withinMs = 45_000;
/** About an hour of audio; programs can be made to produce more. */
const mostBytes = 200 * 1024 * 1024;
const codecs: Readonly<Record<'aac' | 'mp3', readonly string[]>> = {
  aac: ['-c:a', 'aac', '-b:a', '96k', '-f', 'adts'],
  mp3: ['-c:a', 'libmp3lame', '-b:a', '96k', '-f', 'mp3'],
};

interface SpeechRequest {
  readonly voice: Voice;
  readonly text: string;
  readonly format: AudioFormat;
  readonly signal: AbortSignal;
  /** User voices only. */
  readonly settings: Readonly<Record<string, unknown>> | undefined;
}

/** Converts text to audio. Programs get the text in a file, so that it cannot act as an option. */
export async function speak(
  stack: SherpaRuntime,
  { voice, text, format, signal, settings }: SpeechRequest,
): Promise<Buffer> {
  const directory = await mkdtemp(join(tmpdir(), 'weir-voice-'));
  try {
    const [words, wav] = [join(directory, 'text.txt'), join(directory, 'voice.wav')];
    await writeFile(words, `${text}\n`);
    if (voice.program === 'sherpa') await writeFile(wav, await generate(stack, voice, text, settings ?? {}));
    else await run(...buildCommand(voice, text, words, wav), signal);
    if (format === 'wav') return await readBounded(wav);
    const made = join(directory, 'voice.out');
    await run('ffmpeg', ['-nostdin', '-v', 'error', '-i', wav, ...codecs[format], made], signal);
    return await readBounded(made);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function buildCommand({ program, programName }: Voice, text: string, words: string, wav: string): [string, string[]] {
  // pico2wave reads no files; after `--` nothing is an option.
  if (program === 'pico') return ['pico2wave', ['-l', programName, '-w', wav, '--', text]];
  if (program === 'flite') return ['flite', ['-voice', programName, '-f', words, '-o', wav]];
  return ['espeak-ng', ['-v', programName, '-f', words, '-w', wav]];
}

async function run(command: string, args: string[], signal: AbortSignal): Promise<void> {
  const end = await runTool({ command, args, withinMs, signal });
  signal.throwIfAborted();
  if (end.code !== 0) throw new Error(`${command} failed: ${end.cut ?? end.reason}`);
}

async function generate(
  stack: SherpaRuntime,
  { programName }: Voice,
  text: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<Buffer> {
  const [id = '', sid = '0'] = programName.split('#');
  const voice = await stack.voice(id, settings);
  const { samples, sampleRate } = await voice.generateAsync({
    text,
    sid: Number(sid),
    speed: 1,
    enableExternalBuffer: false,
  });
  return Buffer.from(encodeWav(samples, sampleRate).buffer);
}

async function readBounded(path: string): Promise<Buffer> {
  if ((await stat(path)).size > mostBytes) throw new Error('the voice produced too much audio');
  return readFile(path);
}
