import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DataOf, type Room, type talkApi, talkLimits } from '@weir/contract';
import { pictureLimit } from '@weir/process/picture-limit';
import type { Ai } from '../../ai/ai.ts';
import { toProviderChoice } from '../../ai/provider-choice.ts';
import { readPcm, writeWav } from '../../ai/wav.ts';
import { withDeadline } from '../../ai/with-deadline.ts';
import type { Clock } from '../../core/clock.ts';
import { Mutex } from '../../core/mutex.ts';
import { cleanText, isDoubtful } from '../../speech/doubtful-text.ts';
import type { InterimPace } from '../../speech/interim/interim-pace.ts';
import { joinTexts } from '../../speech/join-texts.ts';
import type { CallRate } from './call-rate.ts';
import type { Conversation } from './conversation.ts';
import type { RoomMeter } from './room-meter.ts';
import { talkError } from './talk-access.ts';
import type { TalkUser } from './talk-user.ts';

interface Context {
  readonly recogniser: UtteranceRecogniser;
  readonly rate: CallRate;
  /** Rate of interim recognitions, which are many and cost the owner only time. */
  readonly looks: CallRate;
  readonly meter: RoomMeter;
}

interface Where {
  readonly conversation: Conversation;
  readonly room: Room;
  readonly user: TalkUser;
}

interface Words {
  readonly audio: string;
  readonly text: string;
  /** Text recognised before this audio. */
  readonly heard: string;
  readonly mergeMessages: number;
}

export interface Sound {
  readonly audio: string;
  readonly moment: 'speaking' | 'pausing' | 'done';
}

/** Speech recognition for guests, metered and limited. */
export class GuestSpeech {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Recognitions run in parallel; results are returned in the order of speech. */
  async recognise(where: Where, { audio, text, heard, mergeMessages }: Words): Promise<string> {
    const { user } = where;
    // Speaking again interrupts the answer.
    if (mergeMessages === 0) for (const answer of user.answering) answer.abort();
    const isSpoken = audio !== '' && text === '';
    const counted = this.#count(where, isSpoken);
    const before = user.heard;
    const recognised = counted.then(async () =>
      isSpoken ? joinTexts([heard, await this.#recognise(where, audio, heard)]) : text.trim(),
    );
    user.heard = Promise.allSettled([before, recognised]);
    const [, asr] = await Promise.all([before, recognised]);
    if (asr !== '') user.previousText = asr;
    return asr;
  }

  /** Recognises without posting: for captions, and for text that the guest corrects first. */
  async preview(where: Where, { audio, moment }: Sound): Promise<DataOf<typeof talkApi.hear>> {
    const { conversation, room, user } = where;
    const { recogniser, looks } = this.#context;
    if (!room.aiAsrEnabled) throw talkError('text-only');
    const canLook = await recogniser.isFree(room, user.language);
    if (moment === 'speaking' || (moment === 'pausing' && canLook)) {
      looks.take(room.uuid, user.address);
      const sound = { audio, room, language: user.language, signal: signalOf(where) };
      return { text: canLook ? await recogniser.recogniseInterim(sound) : '', isFinal: false, canLook };
    }
    if (conversation.uploads + conversation.recognitions >= talkLimits.uploads) throw talkError('crowd');
    conversation.recognitions += 1;
    try {
      await this.#count(where, true);
      const text = await this.#recognise(where, audio, '');
      user.isCounted = true;
      return { text, isFinal: true, canLook };
    } finally {
      conversation.recognitions -= 1;
    }
  }

  /** Counts a message. Text whose recognition was counted is not counted again. */
  async #count({ room, user }: Where, isSpoken: boolean): Promise<void> {
    const isCounted = user.isCounted && !isSpoken;
    user.isCounted = false;
    if (isCounted) return;
    this.#context.rate.take(room.uuid, user.address);
    await this.#context.meter.take(room);
  }

  #recognise(where: Where, audio: string, heard: string): Promise<string> {
    const { conversation, room, user } = where;
    const { recogniser, meter } = this.#context;
    const own = joinTexts([user.previousText, heard]);
    return recogniser.recognise({
      audio,
      room,
      language: user.language,
      signal: signalOf(where),
      before: room.aiAsrPrompt === 'user-only' ? own : joinTexts([conversation.chat.lastAnswer, own]),
      onSeconds: (seconds) => void meter.heard(room.uuid, seconds).catch(() => undefined),
    });
  }
}

function signalOf({ conversation, user }: Where): AbortSignal {
  return AbortSignal.any([conversation.end.signal, user.gone.signal]);
}

/** Containers that browsers and phones record. Others, such as playlists, could name files of this machine. */
const formats = 'matroska,webm,mov,mp4,m4a,3gp,3g2,mj2,ogg,wav,w64,flac,mp3,aac,caf,aiff';
const withinMs = 20_000;
const decoders = 4;
const bytesPerSecond = 32_000;
const leastSeconds = 0.1;
/** Length of earlier text passed as context, so that names keep their spelling. */
const promptCharacters = 500;
/** Timeout of an interim recognition. A busy machine needs seconds for it, and a late caption is better than none. */
const interimWithinMs = 10_000;
const leastInterimSeconds = 0.5;

interface Recording {
  /** Base64. */
  readonly audio: string;
  readonly language: string;
  readonly room: Room;
  readonly signal: AbortSignal;
}

interface Utterance extends Recording {
  /** Earlier text as context. */
  readonly before: string;
  /** Called with the duration. */
  readonly onSeconds: (seconds: number) => void;
}

interface RecogniserContext {
  readonly ai: Ai;
  readonly directory: string;
  readonly clock: Clock;
  readonly pace: InterimPace;
}

/** Decodes and recognises the speech of guests. */
export class UtteranceRecogniser {
  readonly #context: RecogniserContext;
  /** Limits decoder processes over all rooms. */
  readonly #turns = new Mutex();
  #count = 0;

  constructor(context: RecogniserContext) {
    this.#context = context;
  }

  async recognise({ audio, language, before, room, signal: outer, onSeconds }: Utterance): Promise<string> {
    const { ai, clock } = this.#context;
    const pcm = await this.#pcmOf(Buffer.from(audio, 'base64'), outer);
    const seconds = pcm.length / bytesPerSecond;
    if (seconds < leastSeconds) throw talkError('unheard');
    onSeconds(seconds);
    // Recognition time grows with the length of the speech.
    const ms = waitMs(room) / 2 + seconds * 1000;
    // Interim recognition pauses while a final one runs.
    const end = (await this.isFree(room, language)) ? this.#context.pace.begin() : () => undefined;
    const { text } = await withDeadline({ clock, ms, signal: outer }, (signal) =>
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

  /** Recognises unfinished speech with built-in AI. Returns an empty text while a final recognition runs, or on failure. */
  async recogniseInterim({ audio, language, room, signal: outer }: Recording): Promise<string> {
    const { ai, clock, pace } = this.#context;
    const pcm = readPcm(Buffer.from(audio, 'base64'))?.subarray(-talkLimits.interimSeconds * bytesPerSecond);
    const seconds = (pcm?.length ?? 0) / bytesPerSecond;
    if (!pcm || seconds < leastInterimSeconds || !pace.isFree) return '';
    const end = pace.begin();
    try {
      const { text } = await withDeadline({ clock, ms: interimWithinMs, signal: outer }, (signal) =>
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

  /** Our own pages send WAV in the needed form, which saves a decoder process of 250 ms. */
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
      // Thrown as an unknown error: the log has the detail, the guest an id.
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
