import type { TalkMessage } from '@weir/contract';
import type { MessageLog } from './message-log.ts';

/** Limit of remembered played pieces; older ones have left the log. */
const mostDropped = 500;

interface Facts {
  readonly spid: string;
  readonly address: string;
  /** Number of the first message that is for it. */
  readonly since: number;
  /** Number of the first message whose audio is for it: nobody wants to hear all that was said before. */
  readonly hears: number;
  /** Number of the first message that it was not told. */
  readonly told: number;
}

/** Listener: receives every message once, or again after one that arrived. */
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

  /** `after`: the last message that arrived there; empty: none did. Without it what was told once is not told again. */
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
