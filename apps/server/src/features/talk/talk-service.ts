import { randomUUID } from 'node:crypto';
import { type DataOf, type Room, type TalkProblem, type talkApi, talkLimits } from '@weir/contract';
import type { Log } from '@weir/plane';
import { type Clock, isoNow } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { Answerer } from './answerer.ts';
import type { Conversation, Round } from './conversation.ts';
import type { GuestSpeech, Sound } from './guest-speech.ts';
import { waitMs } from './guest-speech.ts';
import { guestFailure, talkError } from './talk-access.ts';
import type { TalkUser } from './talk-user.ts';

interface Context {
  readonly speech: GuestSpeech;
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

/** Pause after which unfinished dictation becomes a question. */
const flushMs = 8000;

/** Processes messages of guests: recognition, posting, and the answer. */
export class TalkService {
  readonly #context: Context;
  /** Uploads in progress, by round. */
  readonly #underWay = new Map<Round, Promise<Said>>();

  constructor(context: Context) {
    this.#context = context;
  }

  /** Posts a message. A repeated upload of a round, after a lost response, does not post it twice. */
  async upload(conversation: Conversation, room: Room, user: TalkUser, upload: Upload): Promise<Said> {
    const round = roundOf(conversation, user, upload);
    const underWay = this.#underWay.get(round);
    if (underWay) return underWay;
    const isFailed = round.isFinished && round.problem !== undefined;
    const canAskAgain = isFailed && round.question !== '';
    if (upload.again && !canAskAgain) throw new WeirError('invalid_input', 'this round has no question left to answer');
    const isSaid = round.asr !== '' || round.question !== '' || (round.isFinished && !isFailed);
    if (isSaid && !canAskAgain) return { rid: round.rid, asr: round.asr };
    const said = this.#say({ conversation, room, user, round }, { ...upload, again: canAskAgain });
    this.#underWay.set(round, said);
    return said.finally(() => this.#underWay.delete(round));
  }

  /** Recognises speech without posting it. */
  async hear(conversation: Conversation, room: Room, user: TalkUser, sound: Sound) {
    const where = { conversation, room, user };
    if (sound.audio === '') throw new WeirError('missing_field', 'audio is required');
    return this.#context.speech.preview(where, sound).catch((error: unknown) => {
      throw guestFailure(this.#context.log, error, where);
    });
  }

  /** Continues dictation from before a restart. */
  resume(conversation: Conversation, room: Room): void {
    for (const user of conversation.users.values()) this.#flushLater(conversation, room, user);
  }

  async #say(asked: Asked, upload: Upload): Promise<Said> {
    const { conversation, room, user, round } = asked;
    if (upload.audio !== '' && upload.text === '' && !room.aiAsrEnabled) throw talkError('text-only');
    if (conversation.uploads >= talkLimits.uploads) throw talkError('crowd');
    conversation.uploads += 1;
    Object.assign(round, { isFinished: false, problem: undefined });
    try {
      const words = upload.again ? { ...upload, audio: '', text: '' } : upload;
      const heard = await this.#context.speech.recognise(asked, words);
      if (heard !== '') this.#postMessage(conversation, user, round, heard);
      const question = upload.again
        ? round.question
        : user.dictation.add(heard, upload.flush ? 0 : upload.mergeMessages);
      if (question === undefined || !room.aiChatEnabled) {
        round.isFinished = true;
        this.#flushLater(conversation, room, user);
      } else await this.#answer({ ...asked, question });
      return { rid: round.rid, asr: round.asr };
    } catch (error) {
      round.isFinished = true;
      throw this.#forGuests(error, asked);
    } finally {
      conversation.uploads -= 1;
      conversation.touch();
    }
  }

  #postMessage(conversation: Conversation, user: TalkUser, round: Round, msg: string): void {
    const at = isoNow(this.#context.clock);
    const who = { role: 'user', username: user.name } as const;
    round.asr = msg;
    conversation.addMessage({ mid: randomUUID(), rid: round.rid, ...who, msg, asid: '', hasAudio: false, at });
  }

  /** Resolves with the first piece of the answer, while the rest continues. Throws if the answer fails before. */
  async #answer({ conversation, room, user, round, question }: Asked & { readonly question: string }): Promise<void> {
    const { answerer, clock } = this.#context;
    const stop = new AbortController();
    user.answering.add(stop);
    conversation.answering += 1;
    Object.assign(round, { question, userId: user.userId });
    const signal = AbortSignal.any([stop.signal, user.gone.signal, conversation.end.signal]);
    const first = Promise.withResolvers<void>();
    const whole = conversation.answers
      .take(async () => {
        if (!signal.aborted)
          await answerer.answer({ conversation, room, round, text: question, signal, onPiece: first.resolve });
        round.question = '';
      })
      .catch((error: unknown) => {
        if (!stop.signal.aborted) throw this.#forGuests(error, { conversation, room, user, round });
      })
      .finally(() => {
        round.isFinished = true;
        conversation.answering -= 1;
        user.answering.delete(stop);
        conversation.touch();
      });
    // The caller waits for the first words and sees a failure; later failures are stored in the round.
    whole.catch(() => undefined);
    // Behind answers to others the wait is limited: the client polls the round instead.
    const waited = new AbortController();
    const enough = clock.pause(waitMs(room), waited.signal).catch(() => undefined);
    await Promise.race([
      first.promise,
      whole,
      enough.then(() => (conversation.answering > 1 ? undefined : whole)),
    ]).finally(() => waited.abort());
  }

  #flushLater(conversation: Conversation, room: Room, user: TalkUser): void {
    const { clock } = this.#context;
    if (user.dictation.texts.length === 0 || !room.aiChatEnabled) return;
    const { heard } = user;
    void clock.pause(flushMs, AbortSignal.any([conversation.end.signal, user.gone.signal])).then(
      () => {
        // New dictation arrived, and includes this text in its question.
        if (user.heard !== heard) return;
        const question = user.dictation.flush();
        if (question === undefined) return;
        this.#answer({ conversation, room, user, round: conversation.begin(), question }).catch(() => undefined);
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
  readonly conversation: Conversation;
  readonly room: Room;
  readonly user: TalkUser;
  readonly round: Round;
}

/** Finds the round of an upload. Messages show its id to everybody, so only its first user may use it. */
function roundOf(conversation: Conversation, { userId }: TalkUser, { rid, audio, text, flush, again }: Upload): Round {
  const round = conversation.round(rid);
  if (round.userId !== '' && round.userId !== userId) throw new WeirError('not_found', 'invalid rid');
  round.userId = userId;
  if (audio === '' && text === '' && !flush && !again)
    throw new WeirError('missing_field', 'audio or text is required');
  return round;
}
