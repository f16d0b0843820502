import { randomBytes, randomUUID } from 'node:crypto';
import { type DataOf, type Room, type talkApi, talkLimits } from '@weir/contract';
import type { Log } from '@weir/plane';
import { AiError } from '../../ai/ai.ts';
import { type Clock, isoNow } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { CallRate } from './call-rate.ts';
import type { Round, Stage, TalkUser } from './stage/stage.ts';
import type { Answerer } from './voice/answerer.ts';
import type { Hearing } from './voice/hearing.ts';

interface Context {
  readonly hearing: Hearing;
  readonly answerer: Answerer;
  readonly rate: CallRate;
  readonly clock: Clock;
  readonly log: Log;
}

interface Upload {
  readonly rid: string;
  readonly audio: string;
  readonly text: string;
  readonly mergeMessages: number;
  readonly flush: boolean;
}

/** Dictation that nobody goes on with is a question. */
const flushMs = 8000;

/** What happens between somebody's words and the answer to them. */
export class TalkService {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  async upload(stage: Stage, room: Room, user: TalkUser, upload: Upload): Promise<DataOf<typeof talkApi.upload>> {
    const round = stage.round(upload.rid);
    if (upload.audio === '' && upload.text === '' && !upload.flush)
      throw new WeirError('missing_field', 'audio or text is required');
    if (upload.audio !== '' && upload.text === '' && !room.aiAsrEnabled)
      throw new WeirError('invalid_input', 'this room takes text only');
    if (stage.uploads >= talkLimits.uploads)
      throw new WeirError('unavailable', 'too many speak at once, try again', { retryAfterSeconds: 1 });
    stage.uploads += 1;
    try {
      const asr = await this.#hear(stage, room, user, upload);
      if (asr !== '') this.#tell(stage, user, round, asr);
      const question = user.dictation.add(asr, upload.flush ? 0 : upload.mergeMessages);
      if (question === undefined || !room.aiChatEnabled) {
        round.isFinished = true;
        if (!user.dictation.isEmpty) this.#flushLater(stage, room, user);
      } else await this.#answer({ stage, room, user, round, question });
      return { rid: round.rid, asr };
    } catch (error) {
      round.isFinished = true;
      throw this.#forGuests(error, room, round);
    } finally {
      stage.uploads -= 1;
    }
  }

  /** Several may be understood at once; what follows happens in the order they were said. */
  async #hear(stage: Stage, room: Room, user: TalkUser, { audio, text, mergeMessages }: Upload): Promise<string> {
    const { hearing, rate } = this.#context;
    // Who speaks again has heard enough.
    if (mergeMessages === 0) user.answering?.abort();
    rate.take(room.uuid, user.address);
    const before = user.heard;
    const { language, previousText } = user;
    const context = room.aiAsrPrompt === 'user-only' ? previousText : `${stage.chat.lastAnswer} ${previousText}`.trim();
    const heard =
      text !== '' || audio === ''
        ? Promise.resolve(text.trim())
        : hearing.understand({ audio, language, before: context, room, signal: stage.end.signal });
    user.heard = Promise.allSettled([before, heard]);
    const [, asr] = await Promise.all([before, heard]);
    if (asr !== '') user.previousText = asr;
    return asr;
  }

  #tell(stage: Stage, user: TalkUser, { rid }: Round, msg: string): void {
    const at = isoNow(this.#context.clock);
    const who = { role: 'user', username: user.name } as const;
    stage.tell({ mid: randomUUID(), rid, ...who, msg, asid: '', hasAudio: false, at });
  }

  /** Ends with the first words of the answer, which goes on by itself; fails where none come. */
  async #answer({ stage, room, user, round, question }: Asked): Promise<void> {
    const { answerer } = this.#context;
    const stop = new AbortController();
    user.answering = stop;
    stage.answering += 1;
    const signal = AbortSignal.any([stop.signal, stage.end.signal]);
    const first = Promise.withResolvers<void>();
    const whole = stage.answers
      .take(async () => {
        if (!signal.aborted)
          await answerer.answer({ stage, room, round, text: question, signal, onPiece: first.resolve });
      })
      .catch((error: unknown) => {
        if (!signal.aborted) throw this.#forGuests(error, room, round);
      })
      .finally(() => {
        round.isFinished = true;
        stage.answering -= 1;
        if (user.answering === stop) user.answering = undefined;
      });
    // Whoever waits for the first words hears of a failure; after them the round tells who asks.
    whole.catch(() => undefined);
    await Promise.race([first.promise, whole]);
  }

  #flushLater(stage: Stage, room: Room, user: TalkUser): void {
    const { clock } = this.#context;
    const { heard } = user;
    void clock.pause(flushMs, stage.end.signal).then(
      () => {
        // More came meanwhile: it will be asked with that.
        if (user.heard !== heard) return;
        const question = user.dictation.flush();
        if (question === undefined) return;
        this.#answer({ stage, room, user, round: stage.begin(), question }).catch(() => undefined);
      },
      () => undefined,
    );
  }

  /** What a guest is told of a failure; the rest is for the owner, found by the id. */
  #forGuests(error: unknown, room: Room, round: Round): WeirError {
    const known = error instanceof WeirError ? error : this.#generic(error, room);
    round.problem = known.message;
    return known;
  }

  #generic(error: unknown, { uuid }: Room): WeirError {
    if (error instanceof AiError && error.cause === 'limit-reached')
      return new WeirError('unavailable', 'the limit for today is reached, try again tomorrow');
    const id = randomBytes(4).toString('hex');
    this.#context.log.warn({ room: uuid, id, reason: String(error) }, 'a guest got no answer');
    return new WeirError('unavailable', `the assistant cannot answer now, try again (${id})`);
  }
}

interface Asked {
  readonly stage: Stage;
  readonly room: Room;
  readonly user: TalkUser;
  readonly round: Round;
  readonly question: string;
}
