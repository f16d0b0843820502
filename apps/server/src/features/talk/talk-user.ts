import { randomUUID } from 'node:crypto';
import { joinTexts } from '../../speech/join-texts.ts';

/** Dictation of one user: several texts make one question, in spoken order. */
class Dictation {
  #texts: string[];

  constructor(texts: readonly string[] = []) {
    this.#texts = [...texts];
  }

  get texts(): readonly string[] {
    return this.#texts;
  }

  /** Adds a text; returns the question once it has `every` texts. With 0, each text completes the question. */
  add(text: string, every: number): string | undefined {
    if (text !== '') this.#texts.push(text);
    return this.#texts.length >= every ? this.flush() : undefined;
  }

  /** Returns the pending text as a question. */
  flush(): string | undefined {
    const question = joinTexts(this.#texts);
    this.#texts = [];
    return question === '' ? undefined : question;
  }
}

/** Facts of a participant that survive a restart. */
interface UserFacts {
  readonly userId: string;
  readonly secret: string;
  readonly address: string;
  readonly name: string;
  readonly language: string;
  readonly previousText: string;
}

/** Participant of a conversation. */
export class TalkUser implements UserFacts {
  readonly userId: string;
  readonly secret: string;
  readonly address: string;
  readonly dictation: Dictation;
  /** Cancels answers to this user. */
  readonly answering = new Set<AbortController>();
  readonly gone = new AbortController();
  name: string;
  language: string;
  previousText: string;
  readonly sinceMs: number;
  seenAtMs: number;
  /** True while recognised text counts against the limit but was not sent yet. */
  isCounted = false;
  /** Settles when recognition of everything said so far has succeeded or failed. */
  heard: Promise<unknown> = Promise.resolve();

  constructor(
    facts: Partial<UserFacts> & Pick<UserFacts, 'address' | 'language'>,
    nowMs: number,
    texts: readonly string[] = [],
  ) {
    const { userId = randomUUID(), secret = randomUUID(), address, name = '', language, previousText = '' } = facts;
    this.userId = userId;
    this.secret = secret;
    this.address = address;
    this.name = name;
    this.language = language;
    this.previousText = previousText;
    this.dictation = new Dictation(texts);
    this.sinceMs = nowMs;
    this.seenAtMs = nowMs;
  }
}
