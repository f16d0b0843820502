import type { TalkMessage } from '@weir/contract';

/** A page that was away for long finds the newest. */
const mostKept = 500;

/** Messages numbered from the start of the conversation, stored once for all listeners. */
export class MessageLog {
  #first: number;
  readonly #messages: TalkMessage[] = [];
  /** Numbers by id of the message and of its audio. */
  readonly #numbers = new Map<string, number>();

  constructor(messages: readonly TalkMessage[] = [], first = 0) {
    this.#first = first;
    for (const message of messages) this.add(message);
  }

  /** Number of the oldest message that is still known. */
  get first(): number {
    return this.#first;
  }

  /** Number of the message that comes next. */
  get next(): number {
    return this.#first + this.#messages.length;
  }

  add(message: TalkMessage): void {
    for (const id of idsOf(message)) this.#numbers.set(id, this.next);
    this.#messages.push(message);
    if (this.#messages.length <= mostKept) return;
    const oldest = this.#messages.shift();
    this.#first += 1;
    if (oldest) for (const id of idsOf(oldest)) this.#numbers.delete(id);
  }

  from(number: number): TalkMessage[] {
    return this.#messages.slice(Math.max(0, number - this.#first));
  }

  /** Number of the message with this id or audio id; -1 if unknown. */
  numberOf(id: string): number {
    return this.#numbers.get(id) ?? -1;
  }
}

function idsOf({ mid, asid }: TalkMessage): string[] {
  return [mid, asid].filter((id) => id !== '');
}
