import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Room, talkLimits } from '@weir/contract';
import type { Ai, ProviderChoice } from '../../../ai/ai.ts';
import { wavOf } from '../../../ai/wav.ts';
import { WeirError } from '../../../core/errors.ts';
import { Turns } from '../../../core/turns.ts';
import { cleanText, isDoubtful } from '../../../speech/doubtful-text.ts';

/** What browsers and phones record into. Others, such as playlists, could name files of this machine. */
const formats = 'matroska,webm,mov,mp4,m4a,3gp,3g2,mj2,ogg,wav,w64,flac,mp3,aac,caf,aiff';
const withinMs = 20_000;
const decoders = 4;
const bytesPerSecond = 32_000;
const leastSeconds = 0.1;
/** What is kept of the text before, so that names are written the same again. */
const promptCharacters = 500;

interface Utterance {
  /** Base64. */
  readonly audio: string;
  readonly language: string;
  /** Said before it, as context. */
  readonly before: string;
  readonly room: Room;
  readonly signal: AbortSignal;
}

/** Understands what a guest said. */
export class Hearing {
  readonly #ai: Ai;
  readonly #directory: string;
  /** A few at a time, however many rooms are in use: each is a process. */
  readonly #turns = new Turns();
  #count = 0;

  constructor({ ai, directory }: { readonly ai: Ai; readonly directory: string }) {
    this.#ai = ai;
    this.#directory = directory;
  }

  async understand({ audio, language, before, room, signal }: Utterance): Promise<string> {
    this.#count += 1;
    const line = String(this.#count % decoders);
    const pcm = await this.#turns.take(() => this.#decode(Buffer.from(audio, 'base64'), signal), line);
    const seconds = pcm.length / bytesPerSecond;
    if (seconds < leastSeconds) throw unheard();
    const { text } = await this.#ai.transcribe({
      ...{ feature: 'rooms', provider: providerOf(room), audio: wavOf(pcm), seconds, signal },
      language: language || room.aiAsrLanguage,
      prompt: before.slice(-promptCharacters),
    });
    const clean = cleanText(text);
    if (clean === '' || isDoubtful(clean, seconds)) throw unheard();
    return clean;
  }

  async #decode(bytes: Buffer, signal: AbortSignal): Promise<Buffer> {
    await mkdir(this.#directory, { recursive: true });
    const file = join(this.#directory, randomUUID());
    const pcm = `${file}.pcm`;
    try {
      await writeFile(file, bytes);
      const { runTool } = await import('@weir/process');
      const input = ['-protocol_whitelist', 'file', '-format_whitelist', formats, '-i', file];
      const output = ['-t', String(talkLimits.audioSeconds), '-vn', '-ac', '1', '-ar', '16000', '-f', 's16le', pcm];
      const args = ['-nostdin', '-v', 'error', ...input, ...output];
      const { code, isMissing } = await runTool({ command: 'ffmpeg', args, withinMs, signal });
      if (isMissing) throw new WeirError('unavailable', 'ffmpeg is missing on the server');
      if (code !== 0) throw new WeirError('invalid_input', 'audio: cannot be decoded');
      return await readFile(pcm);
    } finally {
      await Promise.all([rm(file, { force: true }), rm(pcm, { force: true })]);
    }
  }
}

export function providerOf({ aiSecretKey, aiBaseURL, aiOrganization }: Room): ProviderChoice {
  return { secretKey: aiSecretKey, baseURL: aiBaseURL, organization: aiOrganization };
}

function unheard(): WeirError {
  return new WeirError('invalid_input', 'nothing was understood, please say it again');
}
