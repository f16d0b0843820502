import { randomUUID } from 'node:crypto';
import { type TalkMessage, type TalkProblem, talkLimits } from '@weir/contract';
import { toNetwork } from '@weir/streams';
import { WeirError } from '../../core/errors.ts';
import { Mutex } from '../../core/mutex.ts';
import { sameText } from '../../core/same-text.ts';
import { History } from './history.ts';
import { MessageLog, Subscriber } from './message-log.ts';
import { talkError } from './talk-access.ts';
import { TalkUser } from './talk-user.ts';

/** Limit of audio kept per conversation: some minutes of speech. */
const mostBytes = 32 * 1024 * 1024;

interface Audio {
  readonly ready: Promise<Uint8Array | undefined>;
  bytes: number;
}

/** Audio of the assistant's pieces in one conversation, kept until no listener needs it. */
class AnswerAudio {
  readonly #audio = new Map<string, Audio>();
  #bytes = 0;

  /** `making` resolves to undefined on failure; then the piece has only text. */
  add(asid: string, making: Promise<Uint8Array | undefined>): void {
    const audio: Audio = { ready: making, bytes: 0 };
    this.#audio.set(asid, audio);
    void making.then((made) => {
      if (!made || this.#audio.get(asid) !== audio) return;
      audio.bytes = made.length;
      this.#bytes += made.length;
      for (const oldest of this.#audio.keys()) {
        if (this.#bytes <= mostBytes) return;
        this.remove(oldest);
      }
    });
  }

  get(asid: string): Promise<Uint8Array | undefined> {
    return this.#audio.get(asid)?.ready ?? Promise.resolve(undefined);
  }

  remove(asid: string): void {
    this.#bytes -= this.#audio.get(asid)?.bytes ?? 0;
    this.#audio.delete(asid);
  }

  /** Removes pieces without a listener. */
  sweep(isNeeded: (asid: string) => boolean): void {
    for (const asid of this.#audio.keys()) if (!isNeeded(asid)) this.remove(asid);
  }
}

/** Question with its answer. */
export interface Round {
  readonly rid: string;
  isFinished: boolean;
  /** First user of the round. */
  userId: string;
  /** Recognised text; empty before. */
  asr: string;
  /** Question; empty once it is answered. */
  question: string;
  /** Reason for a missing or incomplete answer, in words for a guest. */
  problem?: { readonly message: string; readonly kind: TalkProblem; readonly fact: string } | undefined;
}

interface Parts {
  readonly sid?: string;
  readonly roomId: string;
  /** Token with which guests joined. */
  readonly roomToken: string;
  readonly log?: MessageLog;
  readonly chat?: History;
  readonly post?: History;
}

/** Rounds kept for queries of clients. */
const mostRounds = 500;
/** Limit of reserved rounds without an upload. Above it, the oldest of them is removed, never a used one. */
const mostUnused = 100;
const userMs = 300_000;
const subscriberMs = 300_000;
/** Pages poll each second, or once a minute in the background. */
const quietMs = 90_000;
/** Time after joining within which an open page makes its first request. */
const unusedMs = 1000;

/** Conversation in one room: its users, listeners and messages. */
export class Conversation {
  readonly sid: string;
  readonly roomId: string;
  readonly roomToken: string;
  readonly users = new Map<string, TalkUser>();
  readonly subscribers = new Map<string, Subscriber>();
  readonly rounds = new Map<string, Round>();
  readonly log: MessageLog;
  readonly answerAudio = new AnswerAudio();
  readonly chat: History;
  readonly post: History;
  /** Serialises answers, because two voices at once cannot be understood. */
  readonly answers = new Mutex();
  readonly end = new AbortController();
  uploads = 0;
  /** Recognitions in progress. */
  recognitions = 0;
  answering = 0;
  /** Number of changes that must survive a restart. */
  changes = 0;
  seenAtMs: number;

  constructor({ sid, roomId, roomToken, log, chat, post }: Parts, nowMs: number) {
    this.sid = sid ?? randomUUID();
    this.roomId = roomId;
    this.roomToken = roomToken;
    this.log = log ?? new MessageLog();
    this.chat = chat ?? new History();
    this.post = post ?? new History();
    this.seenAtMs = nowMs;
  }

  /** True while speech is recognised or answered. */
  get isBusy(): boolean {
    return this.uploads + this.answering > 0;
  }

  enter(address: string, language: string, nowMs: number): TalkUser {
    if (this.users.size >= talkLimits.users) this.#dismiss(findEvictable(this.users.values(), address, nowMs));
    const user = new TalkUser({ address, language }, nowMs);
    this.users.set(user.userId, user);
    this.touch();
    return user;
  }

  /** `hasHistory`: the listener also receives earlier messages, as far as they are kept. */
  listen(address: string, nowMs: number, hasHistory = false): Subscriber {
    if (this.subscribers.size >= talkLimits.subscribers)
      this.subscribers.delete(findEvictable(this.subscribers.values(), address, nowMs).spid);
    const { first, next } = this.log;
    const since = hasHistory ? first : next;
    const facts = { spid: randomUUID(), address, since, hears: next, told: since };
    const subscriber = new Subscriber(facts, this.log, nowMs);
    this.subscribers.set(subscriber.spid, subscriber);
    this.touch();
    return subscriber;
  }

  begin(): Round {
    const round: Round = { rid: randomUUID(), isFinished: false, userId: '', asr: '', question: '' };
    this.rounds.set(round.rid, round);
    this.touch();
    const unused = [...this.rounds.values()].filter(({ userId }) => userId === '');
    const [oldestUnused] = unused;
    const [oldest] = this.rounds.keys();
    if (unused.length > mostUnused && oldestUnused) this.rounds.delete(oldestUnused.rid);
    else if (this.rounds.size > mostRounds && oldest) this.rounds.delete(oldest);
    return round;
  }

  round(rid: string): Round {
    const round = this.rounds.get(rid);
    if (!round) throw new WeirError('not_found', 'invalid rid');
    return round;
  }

  /** Finds a user by id and secret. Without the secret, only the address from which the user joined is accepted. */
  user(userId: string, secret: string, address: string | undefined): TalkUser {
    const user = this.users.get(userId);
    const isIt =
      user && (secret === '' ? address === undefined || address === user.address : sameText(secret, user.secret));
    if (!isIt) throw new WeirError('not_found', 'invalid user');
    return user;
  }

  subscriber(spid: string): Subscriber {
    const subscriber = this.subscribers.get(spid);
    if (!subscriber) throw new WeirError('not_found', 'invalid spid');
    return subscriber;
  }

  addMessage(message: TalkMessage): void {
    this.log.add(message);
    this.touch();
  }

  /** Number of open pages. A guest's page is a user and a listener; a transcript page is only a listener. */
  guestsAt(nowMs: number): number {
    const isHere = ({ seenAtMs }: { readonly seenAtMs: number }) => nowMs - seenAtMs <= quietMs;
    const count = (all: Iterable<{ readonly seenAtMs: number }>) => [...all].filter(isHere).length;
    return Math.max(count(this.users.values()), count(this.subscribers.values()));
  }

  /** Marks a change that must survive a restart. */
  touch(): void {
    this.changes += 1;
  }

  /** Removes absent users and listeners, and audio that only they needed. */
  sweep(nowMs: number): void {
    for (const user of this.users.values()) if (nowMs - user.seenAtMs > userMs) this.#dismiss(user);
    for (const { spid, seenAtMs } of this.subscribers.values())
      if (nowMs - seenAtMs > subscriberMs && this.subscribers.delete(spid)) this.touch();
    const listeners = [...this.subscribers.values()];
    this.answerAudio.sweep((asid) => listeners.some((subscriber) => subscriber.has(asid)));
  }

  /** Cancels answers to a user who left. */
  #dismiss(user: TalkUser): void {
    this.users.delete(user.userId);
    user.gone.abort();
    this.touch();
  }
}

interface Guest {
  readonly address: string;
  /** Times of the first and the last request. */
  readonly sinceMs: number;
  readonly seenAtMs: number;
}

/**
 * Guest to evict from a full room: the quietest one of the network with the most guests, so that a network that fills
 * the room shuts out no other. Guests of the same network do not evict each other: only absent ones give way.
 */
function findEvictable<T extends Guest>(all: Iterable<T>, address: string, nowMs: number): T {
  const [[network, most] = ['', []]] = [...Map.groupBy(all, (one) => toNetwork(one.address))].sort(
    ([, a], [, b]) => b.length - a.length,
  );
  const isAway = ({ sinceMs, seenAtMs }: T) => nowMs - seenAtMs > (seenAtMs === sinceMs ? unusedMs : quietMs);
  const candidates = network === toNetwork(address) ? most.filter(isAway) : most;
  const [quietest] = candidates.toSorted((a, b) => a.seenAtMs - b.seenAtMs);
  if (!quietest || most.length < 2) throw full();
  return quietest;
}

function full(): WeirError {
  return talkError('crowd', { retryAfterSeconds: 60 });
}
