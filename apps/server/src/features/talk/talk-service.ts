import { randomUUID } from 'node:crypto';
import { type DataOf, type Room, type TalkProblem, type talkApi, talkLimits } from '@weir/contract';
import type { Log } from '@weir/plane';
import { type Clock, isoNow } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { Answerer } from './answerer.ts';
import type { Conversation, Round } from './conversation.ts';
import type { GuestSpeech, Sound } from './guest-speech.ts';
import { waitMs } from './hearing.ts';
import { guestFailure, talkError } from './talk-access.ts';
import type { TalkUser } from './talk-user.ts';

interface Context {
  readonly understanding: GuestSpeech;
  readonly answerer: Answerer;
  readonly clock: Clock;
  readonly log: Log;
}

interface Upload {
  readonly rid: string;
  readonly audio: string;
  readonly text: string;
  readonly heard: string;
  readonly mergeMessages: number;
  readonly flush: boolean;
  readonly again: boolean;
}

type Said = DataOf<typeof talkApi.upload>;

/** Dictation that nobody goes on with is a question. */
const flushMs = 8000;

/** Processing from a guest's words to the answer. */
export class TalkService {
  readonly #context: Context;
  /** Rounds in recognition, or waiting for the first words of the answer. */
  readonly #underWay = new Map<Round, Promise<Said>>();

  constructor(context: Context) {
    this.#context = context;
  }

  /** Sent again because its answer was lost, something said is not said twice. */
  async upload(stage: Conversation, room: Room, user: TalkUser, upload: Upload): Promise<Said> {
    const round = roundOf(stage, user, upload);
    const underWay = this.#underWay.get(round);
    if (underWay) return underWay;
    const isFailed = round.isFinished && round.problem !== undefined;
    const canAskAgain = isFailed && round.question !== '';
    if (upload.again && !canAskAgain) throw new WeirError('invalid_input', 'this round has no question left to answer');
    const isSaid = round.asr !== '' || round.question !== '' || (round.isFinished && !isFailed);
    if (isSaid && !canAskAgain) return { rid: round.rid, asr: round.asr };
    const said = this.#say({ stage, room, user, round }, { ...upload, again: canAskAgain });
    this.#underWay.set(round, said);
    return said.finally(() => this.#underWay.delete(round));
  }

  /** Recognises speech without posting it. */
  async hear(stage: Conversation, room: Room, user: TalkUser, sound: Sound) {
    const where = { stage, room, user };
    if (sound.audio === '') throw new WeirError('missing_field', 'audio is required');
    return this.#context.understanding.heard(where, sound).catch((error: unknown) => {
      throw guestFailure(this.#context.log, error, where);
    });
  }

  /** Goes on with what was dictated before a restart. */
  resume(stage: Conversation, room: Room): void {
    for (const user of stage.users.values()) this.#flushLater(stage, room, user);
  }

  async #say(asked: Asked, upload: Upload): Promise<Said> {
    const { stage, room, user, round } = asked;
    if (upload.audio !== '' && upload.text === '' && !room.aiAsrEnabled) throw talkError('text-only');
    if (stage.uploads >= talkLimits.uploads) throw talkError('crowd');
    stage.uploads += 1;
    Object.assign(round, { isFinished: false, problem: undefined });
    try {
      const words = upload.again ? { ...upload, audio: '', text: '' } : upload;
      const heard = await this.#context.understanding.said(asked, words);
      if (heard !== '') this.#tell(stage, user, round, heard);
      const question = upload.again
        ? round.question
        : user.dictation.add(heard, upload.flush ? 0 : upload.mergeMessages);
      if (question === undefined || !room.aiChatEnabled) {
        round.isFinished = true;
        this.#flushLater(stage, room, user);
      } else await this.#answer({ ...asked, question });
      return { rid: round.rid, asr: round.asr };
    } catch (error) {
      round.isFinished = true;
      throw this.#forGuests(error, asked);
    } finally {
      stage.uploads -= 1;
      stage.touch();
    }
  }

  #tell(stage: Conversation, user: TalkUser, round: Round, msg: string): void {
    const at = isoNow(this.#context.clock);
    const who = { role: 'user', username: user.name } as const;
    round.asr = msg;
    stage.tell({ mid: randomUUID(), rid: round.rid, ...who, msg, asid: '', hasAudio: false, at });
  }

  /** Ends with the first words of the answer, which goes on by itself; fails where none come. */
  async #answer({ stage, room, user, round, question }: Asked & { readonly question: string }): Promise<void> {
    const { answerer, clock } = this.#context;
    const stop = new AbortController();
    user.answering.add(stop);
    stage.answering += 1;
    Object.assign(round, { question, userId: user.userId });
    const signal = AbortSignal.any([stop.signal, user.gone.signal, stage.end.signal]);
    const first = Promise.withResolvers<void>();
    const whole = stage.answers
      .take(async () => {
        if (!signal.aborted)
          await answerer.answer({ stage, room, round, text: question, signal, onPiece: first.resolve });
        round.question = '';
      })
      .catch((error: unknown) => {
        if (!stop.signal.aborted) throw this.#forGuests(error, { stage, room, user, round });
      })
      .finally(() => {
        round.isFinished = true;
        stage.answering -= 1;
        user.answering.delete(stop);
        stage.touch();
      });
    // The caller waits for the first words and sees a failure; later failures are stored in the round.
    whole.catch(() => undefined);
    // While others are answered it is not waited for: it comes, and the round tells when.
    const waited = new AbortController();
    const enough = clock.pause(waitMs(room), waited.signal).catch(() => undefined);
    await Promise.race([first.promise, whole, enough.then(() => (stage.answering > 1 ? undefined : whole))]).finally(
      () => waited.abort(),
    );
  }

  #flushLater(stage: Conversation, room: Room, user: TalkUser): void {
    const { clock } = this.#context;
    if (user.dictation.texts.length === 0 || !room.aiChatEnabled) return;
    const { heard } = user;
    void clock.pause(flushMs, AbortSignal.any([stage.end.signal, user.gone.signal])).then(
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

  #forGuests(error: unknown, asked: Asked): WeirError {
    const known = guestFailure(this.#context.log, error, asked);
    const { message, why } = known;
    asked.round.problem = { message, kind: (why?.kind as TalkProblem | undefined) ?? 'failed', fact: why?.fact ?? '' };
    return known;
  }
}

interface Asked {
  readonly stage: Conversation;
  readonly room: Room;
  readonly user: TalkUser;
  readonly round: Round;
}

/** The round of an upload that has something in it. Others learn its id with each message, and are not its user. */
function roundOf(stage: Conversation, { userId }: TalkUser, { rid, audio, text, flush, again }: Upload): Round {
  const round = stage.round(rid);
  if (round.userId !== '' && round.userId !== userId) throw new WeirError('not_found', 'invalid rid');
  round.userId = userId;
  if (audio === '' && text === '' && !flush && !again)
    throw new WeirError('missing_field', 'audio or text is required');
  return round;
}
