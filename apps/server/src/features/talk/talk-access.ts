import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type ErrorKind, type Room, type TalkProblem, talkHeaders } from '@weir/contract';
import type { Log } from '@weir/plane';
import { AiError } from '../../ai/ai.ts';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { Call } from '../../core/http/call.ts';
import { sameText } from '../../core/same-text.ts';
import type { Conversation } from './conversation.ts';
import type { Conversations } from './conversations.ts';
import type { TalkUser } from './talk-user.ts';

type Sentence = readonly [kind: ErrorKind, message: string, retryAfterSeconds?: number];

/** Texts for guests: what to do, without the owner's details. */
const sentences: Readonly<Record<TalkProblem, Sentence>> = {
  late: ['unavailable', 'the assistant did not answer in time, try again'],
  failed: ['unavailable', 'the assistant cannot answer now, try again'],
  'day-limit': ['unavailable', 'the daily limit has been reached, try again tomorrow'],
  'minute-limit': ['unavailable', 'too many messages in one minute, wait a moment'],
  crowd: ['unavailable', 'the room is busy, try again', 1],
  unheard: ['invalid_input', 'no speech was recognized, please try again'],
  language: ['invalid_input', 'speech in this language cannot be recognized here, please type'],
  'no-audio': ['invalid_input', 'audio: cannot be decoded'],
  'text-only': ['invalid_input', 'this room accepts text only'],
  ended: ['not_found', 'invalid sid: the conversation has ended, start a new one'],
  restarted: ['unavailable', 'the server restarted before the answer was ready, try again'],
};

interface TalkFacts {
  /** Id to search for in the log. */
  readonly id?: string;
  readonly retryAfterSeconds?: number;
}

/** Error with a text for guests; `why` has the same in a form that pages translate. */
export function talkError(problem: TalkProblem, { id = '', retryAfterSeconds }: TalkFacts = {}): WeirError {
  const [kind, message, soon] = sentences[problem];
  const after = retryAfterSeconds ?? soon;
  return new WeirError(kind, id === '' ? message : `${message} (${id})`, {
    why: { kind: problem, fact: id },
    ...(after !== undefined && { retryAfterSeconds: after }),
  });
}

/** Pages tell it in the language itself. */
function unsupportedLanguage(language: string): WeirError {
  const [kind, message] = sentences.language;
  return new WeirError(kind, message, { why: { kind: 'language', fact: language } });
}

interface Where {
  readonly conversation: Conversation;
  readonly room: Room;
  readonly user: TalkUser;
}

/** Failure for a guest; the owner finds the details by its id. */
export function guestFailure(log: Log, error: unknown, { conversation, room, user }: Where): WeirError {
  if (error instanceof WeirError) return error;
  if (conversation.end.signal.aborted || user.gone.signal.aborted) return talkError('ended');
  const cause = error instanceof AiError ? error.cause : undefined;
  if (cause === 'limit-reached') return talkError('day-limit');
  if (cause === 'unsupported-language') return unsupportedLanguage(user.language || room.aiAsrLanguage);
  const id = randomBytes(4).toString('hex');
  log.warn({ room: room.uuid, id, reason: String(error) }, 'a guest could not be answered');
  return talkError(cause === 'timeout' ? 'late' : 'failed', { id });
}

export interface TalkRooms {
  /** Returns the room with its provider key. Throws if there is no such room. */
  get(uuid: string): Promise<Room>;
  setStage(uuid: string, sid: string): Promise<void>;
  /** Stores the time at which a guest joined. */
  noteUse(uuid: string): Promise<void>;
}

interface Key {
  readonly room: string;
  readonly roomToken: string;
}

/** Access to rooms: the administrator, and guests with the room's token. */
export class TalkAccess {
  readonly #rooms: TalkRooms;
  readonly #conversations: Conversations;
  readonly #clock: Clock;

  constructor({
    rooms,
    conversations,
    clock,
  }: { readonly rooms: TalkRooms; readonly conversations: Conversations; readonly clock: Clock }) {
    this.#rooms = rooms;
    this.#conversations = conversations;
    this.#clock = clock;
  }

  async room({ room, roomToken }: Key, { caller }: Pick<Call, 'caller'>): Promise<Room> {
    if (room === '') throw new WeirError('missing_field', 'empty room id');
    const found = await this.#rooms.get(room);
    // A caller is the administrator, who has another credential.
    if (!caller && !sameText(roomToken, found.roomToken)) throw new WeirError('token', 'invalid room token');
    return found;
  }

  /** Checks the room token in the headers of a request; undefined if they name no room, as those of older clients. */
  async knowsGuest(headers: IncomingHttpHeaders): Promise<true | undefined> {
    const { [talkHeaders.room]: room, [talkHeaders.roomToken]: roomToken } = headers;
    if (typeof room !== 'string' || typeof roomToken !== 'string') return undefined;
    await this.room({ room, roomToken }, { caller: undefined });
    return true;
  }

  async conversation(
    { sid, room, roomToken }: Key & { readonly sid: string },
    call: Pick<Call, 'caller'>,
  ): Promise<{ conversation: Conversation; room: Room }> {
    const conversation = this.#conversations.get(sid);
    if (room !== '' && room !== conversation.roomId) throw new WeirError('token', 'invalid room');
    return { conversation, room: await this.room({ room: conversation.roomId, roomToken }, call) };
  }

  /** The user who calls. */
  user(
    conversation: Conversation,
    { userId, userSecret }: { userId: string; userSecret: string },
    { caller, address }: Call,
  ): TalkUser {
    if (userId === '') throw new WeirError('missing_field', 'empty userId');
    const user = conversation.user(userId, userSecret, caller ? undefined : address);
    user.seenAtMs = this.#clock.elapsedMs();
    return user;
  }
}
