import { availableParallelism } from 'node:os';
import { FairQueue } from '../fair-queue.ts';
import { AiHttpError, badRequest } from '../http/ai-http-error.ts';
import { readJson } from '../http/request-body.ts';
import type { RequestContext, Routes } from '../http/routes.ts';
import type { SherpaRuntime } from '../speech/sherpa-runtime.ts';
import type { UserModels } from '../user-models/user-models.ts';
import { type AudioFormat, speak } from './speak.ts';
import type { Voice, Voices } from './voices.ts';

const mostBytes = 64 * 1024;
/** Same limit as OpenAI. */
const mostCharacters = 4096;
const types: Readonly<Record<AudioFormat, string>> = { wav: 'audio/wav', aac: 'audio/aac', mp3: 'audio/mpeg' };

/** Text to speech. */
export function voiceRoutes(stack: SherpaRuntime, voices: Voices, added: UserModels): Routes {
  const queue = new FairQueue({ parallel: Math.max(1, Math.floor(availableParallelism() / 2)) });

  async function speech({ request, response, signal }: RequestContext): Promise<void> {
    const fields = await readJson(request, mostBytes);
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
