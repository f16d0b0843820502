import { randomUUID } from 'node:crypto';
import { type TalkMessage, type TalkProblem, talkLimits } from '@weir/contract';
import { WeirError } from '../../../core/errors.ts';
import { sameText } from '../../../core/same-text.ts';
import { Turns } from '../../../core/turns.ts';
import { talkError } from '../talk-error.ts';
import { Dictation } from './dictation.ts';
import { History } from './history.ts';
import { Spoken } from './spoken.ts';
import { Subscriber } from './subscriber.ts';

export interface TalkUser {
  readonly userId: string;
  readonly secret: string;
  readonly address: string;
  readonly dictation: Dictation;
  name: string;
  language: string;
  seenAtMs: number;
  previousText: string;
  /** Ends when everything said so far is understood, or is known not to be. */
  heard: Promise<unknown>;
  /** Stops what is being answered to this user. */
  readonly answering: Set<AbortController>;
  readonly gone: AbortController;
}

/** One question and what comes of it. */
export interface Round {
  readonly rid: string;
  isFinished: boolean;
  /** Whoever used it first. */
  userId: string;
  /** What was asked, until it is answered. */
  question: string;
  /** Why nothing came, or not all, in words for a guest. */
  problem: { readonly message: string; readonly kind: TalkProblem; readonly fact: string } | undefined;
}

/** Rounds that clients may still ask about. */
const mostRounds = 500;
const userMs = 300_000;
const subscriberMs = 300_000;

/** The conversation in one room: who takes part, who listens, what was said. */
export class Stage {
  readonly sid = randomUUID();
  readonly roomId: string;
  /** By which guests were let in. */
  readonly roomToken: string;
  readonly users = new Map<string, TalkUser>();
  readonly subscribers = new Map<string, Subscriber>();
  readonly spoken = new Spoken();
  readonly chat = new History();
  readonly post = new History();
  /** Answers come one after the other: two voices at once are understood by nobody. */
  readonly answers = new Turns();
  readonly end = new AbortController();
  uploads = 0;
  answering = 0;
  seenAtMs: number;
  readonly #rounds = new Map<string, Round>();

  constructor(roomId: string, roomToken: string, nowMs: number) {
    this.roomId = roomId;
    this.roomToken = roomToken;
    this.seenAtMs = nowMs;
  }

  /** Something is being understood or answered. */
  get isBusy(): boolean {
    return this.uploads + this.answering > 0;
  }

  enter(address: string, language: string, nowMs: number): TalkUser {
    if (this.users.size >= talkLimits.users) this.#makeRoom();
    const user: TalkUser = {
      ...{ userId: randomUUID(), secret: randomUUID(), address, language, name: '', seenAtMs: nowMs },
      ...{ dictation: new Dictation(), previousText: '', heard: Promise.resolve() },
      ...{ answering: new Set<AbortController>(), gone: new AbortController() },
    };
    this.users.set(user.userId, user);
    return user;
  }

  /** In a full room the address with the most users loses the one that was quiet for longest: somebody who fills it shuts out nobody else. */
  #makeRoom(): void {
    const byAddress = Map.groupBy(this.users.values(), ({ address }) => address);
    const [most = []] = [...byAddress.values()].sort((a, b) => b.length - a.length);
    const [oldest] = most.toSorted((a, b) => a.seenAtMs - b.seenAtMs);
    if (!oldest || most.length < 2) throw full();
    this.#dismiss(oldest);
  }

  /** Nobody waits for what is said to somebody who is gone. */
  #dismiss(user: TalkUser): void {
    this.users.delete(user.userId);
    user.gone.abort();
  }

  listen(nowMs: number): Subscriber {
    if (this.subscribers.size >= talkLimits.subscribers) throw full();
    const subscriber = new Subscriber(randomUUID(), nowMs);
    this.subscribers.set(subscriber.spid, subscriber);
    return subscriber;
  }

  begin(): Round {
    const round: Round = {
      ...{ rid: randomUUID(), isFinished: false, userId: '', question: '' },
      problem: undefined,
    };
    this.#rounds.set(round.rid, round);
    for (const oldest of this.#rounds.keys()) {
      if (this.#rounds.size <= mostRounds) break;
      this.#rounds.delete(oldest);
    }
    return round;
  }

  round(rid: string): Round {
    const round = this.#rounds.get(rid);
    if (!round) throw new WeirError('not_found', 'invalid rid');
    return round;
  }

  /** A guest who does not show the secret of a user is taken for that user only where that user came from. */
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

  tell(message: TalkMessage): void {
    for (const subscriber of this.subscribers.values()) subscriber.add(message);
  }

  /** Lets go of everybody who has not been heard of for some time, and of what only they needed. */
  sweep(nowMs: number): void {
    for (const user of this.users.values()) if (nowMs - user.seenAtMs > userMs) this.#dismiss(user);
    for (const { spid, seenAtMs } of this.subscribers.values())
      if (nowMs - seenAtMs > subscriberMs) this.subscribers.delete(spid);
    const listeners = [...this.subscribers.values()];
    this.spoken.sweep((asid) => listeners.some((subscriber) => subscriber.has(asid)));
  }
}

function full(): WeirError {
  return talkError('crowd', { retryAfterSeconds: 60 });
}
