import type { TalkMessage } from '@weir/contract';

/** Limit of remembered played pieces; older ones have left the log. */
const mostDropped = 500;

interface Facts {
  readonly spid: string;
  readonly address: string;
  /** Number of the first message that this listener receives. */
  readonly since: number;
  /** Number of the first message that this listener receives with audio; older ones come as text. */
  readonly hears: number;
  /** Number of the next message to send. */
  readonly told: number;
}

/** Listener that receives every message once, or again from a given one on. */
export class Subscriber {
  readonly spid: string;
  readonly address: string;
  readonly since: number;
  readonly #hears: number;
  readonly sinceMs: number;
  seenAtMs: number;
  readonly #log: MessageLog;
  readonly #dropped = new Set<string>();
  #told: number;

  constructor({ spid, address, since, hears, told }: Facts, log: MessageLog, nowMs: number) {
    this.spid = spid;
    this.address = address;
    this.since = since;
    this.#hears = hears;
    this.#told = told;
    this.#log = log;
    this.sinceMs = nowMs;
    this.seenAtMs = nowMs;
  }

  get facts(): Facts {
    return { spid: this.spid, address: this.address, since: this.since, hears: this.#hears, told: this.#told };
  }

  /** `after`: id of the last message received, or empty for none. Undefined: continues after the last message sent. */
  take(after: string | undefined): TalkMessage[] {
    const known = this.#log.numberOf(after ?? '');
    const from = known === -1 ? (after === undefined ? this.#told : this.since) : known + 1;
    this.#told = this.#log.next;
    return this.#log
      .from(Math.max(this.since, from))
      .map((message) =>
        message.asid === '' || this.has(message.asid) ? message : { ...message, asid: '', hasAudio: false },
      );
  }

  has(asid: string): boolean {
    return !this.#dropped.has(asid) && this.#log.numberOf(asid) >= this.#hears;
  }

  /** Marks audio as played. */
  drop(asid: string): void {
    if (this.has(asid)) this.#dropped.add(asid);
    for (const oldest of this.#dropped) if (this.#dropped.size > mostDropped) this.#dropped.delete(oldest);
  }
}

/** Limit of kept messages. A page that was away for long receives the newest. */
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

  /** Number of the next message. */
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
