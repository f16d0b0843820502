import { randomBytes } from 'node:crypto';
import type { EventTopic, LiveEvents } from '@weir/contract';

/** Changes that a listener who was away can still be told. */
const mostKept = 256;

interface Kept {
  readonly number: number;
  readonly topics: readonly EventTopic[];
}

type Send = (text: string) => void;

/** Listeners of live events; each event is serialised once for all. */
export class EventBroadcaster {
  /** Tells this process from the one before, whose numbers mean nothing any more. */
  readonly #run = randomBytes(6).toString('hex');
  readonly #listeners = new Set<Send>();
  readonly #kept: Kept[] = [];
  #number = 0;
  #isOpen = false;

  get size(): number {
    return this.#listeners.size;
  }

  /** Tells what was missed since the given event, or that it is not known. Returns how to hear no more. */
  join(send: Send, lastId: string): () => void {
    const missed = this.#missed(lastId);
    send(eventText('hello', { isReset: missed === undefined }, this.#id()));
    const topics = [...new Set(missed?.flatMap((each) => each.topics))];
    if (topics.length > 0) send(eventText('changed', { topics }, this.#id()));
    this.#listeners.add(send);
    return () => void this.#listeners.delete(send);
  }

  /** From now on everything that changes is told here. */
  open(): void {
    this.#isOpen = true;
  }

  /** Drops the history once nothing has been observed for a while. */
  forget(): void {
    this.#isOpen = false;
    this.#number += 1;
    this.#kept.length = 0;
  }

  changed(topics: readonly EventTopic[]): void {
    if (!this.#isOpen) return;
    this.#number += 1;
    this.#kept.push({ number: this.#number, topics });
    if (this.#kept.length > mostKept) this.#kept.shift();
    this.#send(eventText('changed', { topics: [...topics] }, this.#id()));
  }

  /** Has no number: a second that was missed is of no use later. */
  samples(samples: LiveEvents['samples']): void {
    this.#send(eventText('samples', samples));
  }

  /** Without a number, as samples. */
  rows(rows: LiveEvents['rows']): void {
    this.#send(eventText('rows', rows));
  }

  heartbeat(): void {
    this.#send(': still here\n\n');
  }

  #send(text: string): void {
    for (const send of this.#listeners) send(text);
  }

  #id(): string {
    return `${this.#run}-${this.#number}`;
  }

  #missed(lastId: string): readonly Kept[] | undefined {
    const [, run, text = ''] = /^([0-9a-f]{12})-(\d{1,12})$/.exec(lastId) ?? [];
    const number = Number(text);
    const oldest = this.#kept[0]?.number ?? this.#number + 1;
    if (run !== this.#run || number > this.#number || number < oldest - 1) return undefined;
    return this.#kept.filter((each) => each.number > number);
  }
}

function eventText<Name extends keyof LiveEvents>(name: Name, data: LiveEvents[Name], id = ''): string {
  return `${id === '' ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
