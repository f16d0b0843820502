import type { Client } from '@weir/client';
import { type BodyOf, type DataOf, type Endpoint, talkApi, talkHeaders } from '@weir/contract';

interface RoomKey {
  readonly room: string;
  readonly roomToken: string;
}

/** Ids and secrets under which the server knows this page. Without a user the page only listens. */
export interface Seat {
  readonly sid: string;
  readonly spid: string;
  readonly userId: string;
  readonly userSecret: string;
  readonly aiAsrEnabled: boolean;
  /** Guests correct the recognized text before it is sent. */
  readonly aiAsrEdit: boolean;
  readonly voice: string;
  /** Room title; empty for listeners. */
  readonly title: string;
}

interface Speech {
  readonly rid: string;
  readonly text: string;
  /** Base64. */
  readonly audio: string;
  readonly heard: string;
  readonly milliseconds: number;
  readonly mergeMessages: number;
  readonly flush?: boolean;
  readonly again?: boolean;
}

const callMs = 15_000;
/** The response to an upload comes with the assistant's first words, which may take long. */
const uploadMs = 120_000;
/** Half of a room's longest waiting time, plus the length of the speech. */
const hearMs = 240_000;

/** API calls of the page, always as a guest, even in an administrator's browser. */
export class TalkCalls {
  readonly #client: Client;
  readonly #key: RoomKey;

  constructor(client: Client, { room, roomToken }: RoomKey) {
    this.#client = client;
    this.#key = { room, roomToken };
  }

  verify(signal: AbortSignal) {
    return this.#call(talkApi.verify, {}, signal);
  }

  start(signal: AbortSignal) {
    return this.#call(talkApi.start, {}, signal);
  }

  /** `history` includes earlier messages. */
  subscribe(history: boolean, signal: AbortSignal) {
    return this.#call(talkApi.subscribe, { history }, signal);
  }

  messages({ sid, spid, userId, userSecret }: Seat, after: string, signal: AbortSignal) {
    return this.#call(talkApi.messages, { sid, spid, userId, userSecret, after }, signal);
  }

  rename({ sid, userId, userSecret }: Seat, name: string, lang: string, signal: AbortSignal) {
    return this.#call(talkApi.updateUser, { sid, userId, userSecret, name, lang }, signal);
  }

  user({ sid, userId, userSecret }: Pick<Seat, 'sid' | 'userId' | 'userSecret'>, signal: AbortSignal) {
    return this.#call(talkApi.user, { sid, userId, userSecret }, signal);
  }

  begin({ sid }: Seat, signal: AbortSignal) {
    return this.#call(talkApi.conversation, { sid }, signal);
  }

  round({ sid }: Seat, rid: string, signal: AbortSignal) {
    return this.#call(talkApi.query, { sid, rid }, signal);
  }

  upload({ sid, userId, userSecret }: Seat, { milliseconds, ...speech }: Speech, signal: AbortSignal) {
    return this.#call(talkApi.upload, { sid, userId, userSecret, umi: milliseconds, ...speech }, signal, uploadMs);
  }

  /** Recognizes speech without sending it as a message. */
  hear(
    { sid, userId, userSecret }: Seat,
    { audio, moment }: Pick<BodyOf<typeof talkApi.hear>, 'audio' | 'moment'>,
    signal: AbortSignal,
  ) {
    return this.#call(talkApi.hear, { sid, userId, userSecret, audio, moment }, signal, hearMs);
  }

  #call<E extends Endpoint>(endpoint: E, body: Partial<BodyOf<E>>, signal: AbortSignal, ms = callMs) {
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
    const { room, roomToken } = this.#key;
    const headers = { [talkHeaders.room]: room, [talkHeaders.roomToken]: roomToken };
    const options = { signal: bounded, authorized: false, headers } as const;
    return this.#client.call(endpoint, { ...this.#key, ...body } as BodyOf<E>, options) as Promise<DataOf<E>>;
  }
}
