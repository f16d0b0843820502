import type { TalkMessage } from '@weir/contract';

/** A page that was away for long finds the newest. */
const mostKept = 500;

/** What was said, numbered from the beginning of the conversation; each message once for all who listen. */
export class MessageLog {
  #first: number;
  readonly #messages: TalkMessage[];

  constructor(messages: readonly TalkMessage[] = [], first = 0) {
    this.#messages = [...messages];
    this.#first = first;
  }

  /** Number of the message that comes next. */
  get next(): number {
    return this.#first + this.#messages.length;
  }

  add(message: TalkMessage): void {
    this.#messages.push(message);
    if (this.#messages.length <= mostKept) return;
    this.#messages.shift();
    this.#first += 1;
  }

  from(number: number): TalkMessage[] {
    return this.#messages.slice(Math.max(0, number - this.#first));
  }

  /** Of the newest such message; -1 where there is none. */
  numberOf(isIt: (message: TalkMessage) => boolean): number {
    const at = this.#messages.findLastIndex(isIt);
    return at === -1 ? -1 : this.#first + at;
  }
}
