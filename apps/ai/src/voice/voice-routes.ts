import { availableParallelism } from 'node:os';
import type { AddedModels } from '../added/added-models.ts';
import { FairQueue } from '../fair-queue.ts';
import { ApiError, badRequest } from '../http/api-error.ts';
import { readJson } from '../http/body.ts';
import type { Exchange, Routes } from '../http/exchange.ts';
import type { SpeechStack } from '../speech/speech-stack.ts';
import { type AudioFormat, speak } from './speak.ts';
import type { Voice, Voices } from './voices.ts';

const mostBytes = 64 * 1024;
/** As OpenAI has it. */
const mostCharacters = 4096;
const types: Readonly<Record<AudioFormat, string>> = { wav: 'audio/wav', aac: 'audio/aac', mp3: 'audio/mpeg' };

/** Reads texts aloud. */
export function voiceRoutes(stack: SpeechStack, voices: Voices, added: AddedModels): Routes {
  const queue = new FairQueue({ parallel: Math.max(1, Math.floor(availableParallelism() / 2)) });

  async function speech({ request, response, signal }: Exchange): Promise<void> {
    const asked = await readJson(request, mostBytes);
    const text = typeof asked.input === 'string' ? asked.input.replaceAll(/\p{Cc}+/gu, ' ').trim() : '';
    if (text === '' || text.length > mostCharacters)
      throw badRequest(`The input must have 1 to ${mostCharacters} characters.`);
    const format = asked.response_format ?? 'wav';
    if (!isFormat(format)) throw badRequest('The format must be wav, aac or mp3.');
    const voice = choose(await voices.list(), [asked.voice, asked.model], text);
    const model =
      voice.by === 'sherpa' ? (await added.list()).find(({ id }) => voice.wanted.startsWith(`${id}#`)) : undefined;
    const settings = model?.set?.config(model.path, '');
    const caller = typeof asked.user === 'string' ? asked.user : request.socket;
    const audio = await queue.run(caller, signal, () => speak(stack, { voice, text, format, signal, settings }));
    response.writeHead(200, { 'content-type': types[format], 'content-length': audio.length }).end(audio);
  }

  return { 'POST /v1/audio/speech': speech };
}

const isFormat = (value: unknown): value is AudioFormat => typeof value === 'string' && Object.hasOwn(types, value);

/** The one that is named, by voice or by model; where none is, the first that can read the text. */
function choose(voices: readonly Voice[], named: readonly unknown[], text: string): Voice {
  const wanted = named.filter((name) => typeof name === 'string' && name !== '');
  const language = /\p{Script=Han}/u.test(text) ? 'zh' : 'en';
  const found =
    wanted.length > 0
      ? voices.find(({ id }) => wanted.includes(id))
      : (voices.find(({ languages }) => languages.some((code) => code.startsWith(language))) ?? voices[0]);
  if (!found) throw new ApiError(404, 'model_not_found', `The voice ${wanted.join(', ')} is not installed.`);
  return found;
}
