import type { TalkMessage } from '@weir/contract';

/** A page that was away for long finds the newest. */
const mostKept = 500;

/** Somebody who listens: every message once, or again from one that is known to have arrived. */
export class Subscriber {
  readonly spid: string;
  seenAtMs: number;
  #messages: TalkMessage[] = [];
  #told = 0;

  constructor(spid: string, nowMs: number) {
    this.spid = spid;
    this.seenAtMs = nowMs;
  }

  add(message: TalkMessage): void {
    this.#messages.push(message);
    if (this.#messages.length <= mostKept) return;
    this.#messages.shift();
    this.#told = Math.max(0, this.#told - 1);
  }

  /** `after`: the last message that arrived there. Without it what was told once is not told again. */
  take(after: string): TalkMessage[] {
    const known = after === '' ? -1 : this.#messages.findIndex(({ mid }) => mid === after);
    const from = known === -1 ? this.#told : known + 1;
    this.#told = this.#messages.length;
    return this.#messages.slice(from);
  }

  has(asid: string): boolean {
    return this.#messages.some((message) => message.asid === asid);
  }

  /** Its audio was played. */
  drop(asid: string): void {
    const at = this.#messages.findIndex((message) => message.asid === asid);
    const message = this.#messages[at];
    if (message) this.#messages[at] = { ...message, asid: '', hasAudio: false };
  }
}
