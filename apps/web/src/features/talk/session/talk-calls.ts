import type { Client } from '@weir/client';
import { type BodyOf, type DataOf, type Endpoint, talkApi, talkHeaders } from '@weir/contract';

interface RoomKey {
  readonly room: string;
  readonly roomToken: string;
}

/** By what the server knows one page. Without a user it only listens. */
export interface Seat {
  readonly sid: string;
  readonly spid: string;
  readonly userId: string;
  readonly userSecret: string;
  readonly aiAsrEnabled: boolean;
  /** What was heard is corrected before it is sent. */
  readonly aiAsrEdit: boolean;
  readonly voice: string;
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
/** An upload is answered with the first words of the assistant, who may think for long. */
const uploadMs = 120_000;
/** Half of the longest patience of a room, and what was said. */
const hearMs = 240_000;

/** What a page asks of the server: always as a guest, also in the browser of an administrator. */
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

  /** `history`: with what was said before, too. */
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

  /** Understands without saying it. */
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
