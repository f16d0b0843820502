import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeWav } from '@weir/media/wav';
import { runTool } from '@weir/process';
import { AiHttpError, badRequest } from './ai-http-error.ts';
import { FairQueue } from './fair-queue.ts';
import { readJson } from './request-body.ts';
import type { RequestContext, Routes } from './routes.ts';
import type { SherpaRuntime } from './speech/sherpa-runtime.ts';
import type { UserModels } from './user-models/user-models.ts';
import type { Voice, Voices } from './voices.ts';

const mostRequestBytes = 64 * 1024;
/** Same limit as OpenAI. */
const mostCharacters = 4096;
const types: Readonly<Record<AudioFormat, string>> = { wav: 'audio/wav', aac: 'audio/aac', mp3: 'audio/mpeg' };

/** Text to speech. */
export function voiceRoutes(stack: SherpaRuntime, voices: Voices, added: UserModels): Routes {
  const queue = new FairQueue({ parallel: Math.max(1, Math.floor(availableParallelism() / 2)) });

  async function speech({ request, response, signal }: RequestContext): Promise<void> {
    const fields = await readJson(request, mostRequestBytes);
    const text = typeof fields.input === 'string' ? fields.input.replaceAll(/\p{Cc}+/gu, ' ').trim() : '';
    if (text === '' || text.length > mostCharacters)
      throw badRequest(`The input must have 1 to ${mostCharacters} characters.`);
    const format = fields.response_format ?? 'wav';
    if (!isFormat(format)) throw badRequest('The format must be wav, aac or mp3.');
    const voice = selectVoice(await voices.list(), [fields.voice, fields.model], text);
    const model =
      voice.program === 'sherpa'
        ? (await added.list()).find(({ id }) => voice.programName.startsWith(`${id}#`))
        : undefined;
    const settings = model?.set?.config(model.path, '');
    const caller = typeof fields.user === 'string' ? fields.user : request.socket;
    const audio = await queue.run(caller, signal, () => speak(stack, { voice, text, format, signal, settings }));
    response.writeHead(200, { 'content-type': types[format], 'content-length': audio.length }).end(audio);
  }

  return { 'POST /v1/audio/speech': speech };
}

const isFormat = (value: unknown): value is AudioFormat => typeof value === 'string' && Object.hasOwn(types, value);

/** Voice named by `voice` or `model`, else the first that supports the text's script. */
function selectVoice(voices: readonly Voice[], named: readonly unknown[], text: string): Voice {
  const wanted = named.filter((name) => typeof name === 'string' && name !== '');
  const language = /\p{Script=Han}/u.test(text) ? 'zh' : 'en';
  const found =
    wanted.length > 0
      ? voices.find(({ id }) => wanted.includes(id))
      : (voices.find(({ languages }) => languages.some((code) => code.startsWith(language))) ?? voices[0]);
  if (!found) throw new AiHttpError(404, 'model_not_found', `The voice ${wanted.join(', ')} is not installed.`);
  return found;
}

type AudioFormat = 'wav' | 'aac' | 'mp3';

const withinMs = 45_000;
/** About an hour of audio; programs can be made to produce more. */
const mostAudioBytes = 200 * 1024 * 1024;
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
async function speak(stack: SherpaRuntime, { voice, text, format, signal, settings }: SpeechRequest): Promise<Buffer> {
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
  if ((await stat(path)).size > mostAudioBytes) throw new Error('the voice produced too much audio');
  return readFile(path);
}
