import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Room, talkLimits } from '@weir/contract';
import { pictureLimit } from '@weir/process/picture-limit';
import type { Ai } from '../../ai/ai.ts';
import { answerWithin } from '../../ai/answer-within.ts';
import { toProviderChoice } from '../../ai/provider-choice.ts';
import { readPcm, writeWav } from '../../ai/wav.ts';
import type { Clock } from '../../core/clock.ts';
import { Mutex } from '../../core/mutex.ts';
import { cleanText, isDoubtful } from '../../speech/doubtful-text.ts';
import type { InterimPace } from '../../speech/interim/interim-pace.ts';
import { talkError } from './talk-access.ts';

/** Containers that browsers and phones record. Others, such as playlists, could name files of this machine. */
const formats = 'matroska,webm,mov,mp4,m4a,3gp,3g2,mj2,ogg,wav,w64,flac,mp3,aac,caf,aiff';
const withinMs = 20_000;
const decoders = 4;
const bytesPerSecond = 32_000;
const leastSeconds = 0.1;
/** Length of earlier text passed as context, so that names keep their spelling. */
const promptCharacters = 500;
/** Timeout of an interim recognition; later results are useless, and the page gives up too. */
const lookMs = 4000;
const look = { leastSeconds: 0.5, mostSeconds: 15 };

interface Speech {
  /** Base64. */
  readonly audio: string;
  readonly language: string;
  readonly room: Room;
  readonly signal: AbortSignal;
}

interface Utterance extends Speech {
  /** Earlier text as context. */
  readonly before: string;
  /** Called with the duration. */
  readonly onSeconds: (seconds: number) => void;
}

interface Context {
  readonly ai: Ai;
  readonly directory: string;
  readonly clock: Clock;
  readonly pace: InterimPace;
}

/** Understands what a guest said. */
export class Hearing {
  readonly #context: Context;
  /** A few at a time, however many rooms are in use: each is a process. */
  readonly #turns = new Mutex();
  #count = 0;

  constructor(context: Context) {
    this.#context = context;
  }

  async understand({ audio, language, before, room, signal: outer, onSeconds }: Utterance): Promise<string> {
    const { ai, clock } = this.#context;
    const pcm = await this.#pcmOf(Buffer.from(audio, 'base64'), outer);
    const seconds = pcm.length / bytesPerSecond;
    if (seconds < leastSeconds) throw talkError('unheard');
    onSeconds(seconds);
    // Longer speech may take longer.
    const ms = waitMs(room) / 2 + seconds * 1000;
    // Looks wait for what somebody waits for.
    const end = (await this.isFree(room, language)) ? this.#context.pace.begin() : () => undefined;
    const { text } = await answerWithin({ clock, ms, signal: outer }, (signal) =>
      ai.transcribe({
        feature: 'rooms',
        provider: toProviderChoice(room),
        audio: writeWav(pcm),
        seconds,
        signal,
        language: language || room.aiAsrLanguage,
        model: room.aiAsrModel,
        prompt: before.slice(-promptCharacters),
      }),
    ).finally(end);
    const clean = cleanText(text);
    if (clean === '' || isDoubtful(clean, seconds)) throw talkError('unheard');
    return clean;
  }

  /** True if recognition costs nothing but time. */
  async isFree(room: Room, language: string): Promise<boolean> {
    const spoken = language || room.aiAsrLanguage;
    return (await this.#context.ai.describe('transcribe', toProviderChoice(room), spoken)).by === 'built-in';
  }

  /** A glance at what is still being said, of built-in AI and while nobody waits for it; empty where there is no time or nothing to see. */
  async look({ audio, language, room, signal: outer }: Speech): Promise<string> {
    const { ai, clock, pace } = this.#context;
    const pcm = readPcm(Buffer.from(audio, 'base64'));
    const seconds = (pcm?.length ?? 0) / bytesPerSecond;
    if (!pcm || seconds < look.leastSeconds || seconds > look.mostSeconds || !pace.isFree) return '';
    const end = pace.begin();
    try {
      const { text } = await answerWithin({ clock, ms: lookMs, signal: outer }, (signal) =>
        ai.transcribe({
          feature: 'rooms',
          provider: toProviderChoice(room),
          audio: writeWav(pcm),
          seconds,
          signal,
          language: language || room.aiAsrLanguage,
          model: room.aiAsrModel,
        }),
      );
      const clean = cleanText(text);
      return isDoubtful(clean, seconds) ? '' : clean;
    } catch {
      if (!outer.aborted) pace.fail();
      return '';
    } finally {
      end();
    }
  }

  /** Our own pages send what is needed as it is: a program that decodes it costs a quarter of a second. */
  async #pcmOf(bytes: Buffer, signal: AbortSignal): Promise<Buffer> {
    const pcm = readPcm(bytes);
    if (pcm) return pcm.subarray(0, talkLimits.audioSeconds * bytesPerSecond);
    this.#count += 1;
    return this.#turns.take(() => this.#decode(bytes, signal), String(this.#count % decoders));
  }

  async #decode(bytes: Buffer, signal: AbortSignal): Promise<Buffer> {
    const { directory } = this.#context;
    signal.throwIfAborted();
    await mkdir(directory, { recursive: true });
    const file = join(directory, randomUUID());
    const pcm = `${file}.pcm`;
    try {
      await writeFile(file, bytes);
      const { runTool } = await import('@weir/process');
      const input = ['-protocol_whitelist', 'file', '-format_whitelist', formats, ...pictureLimit, '-i', file];
      const output = ['-t', String(talkLimits.audioSeconds), '-vn', '-ac', '1', '-ar', '16000', '-f', 's16le', pcm];
      const args = ['-nostdin', '-v', 'error', ...input, ...output];
      const { code, isMissing } = await runTool({ command: 'ffmpeg', args, withinMs, signal });
      // The detail is of no use to a guest; the log has it.
      if (isMissing) throw new Error('ffmpeg is not installed');
      signal.throwIfAborted();
      if (code !== 0) throw talkError('no-audio');
      return await readFile(pcm);
    } finally {
      await Promise.all([rm(file, { force: true }), rm(pcm, { force: true })]);
    }
  }
}

/** Longest wait of a guest of this room. */
export function waitMs({ aiMaxWaitSeconds }: Room): number {
  return aiMaxWaitSeconds * 1000;
}
