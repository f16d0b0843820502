import { type Room, talkLimits } from '@weir/contract';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import { Conversation } from './conversation.ts';
import { talkError } from './talk-access.ts';

/** Time without a call after which a conversation ends. */
export const idleMs = 600_000;

/** Open conversations, at most one per room. */
export class Conversations {
  readonly #conversations = new Map<string, Conversation>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the conversation of a room, or opens one. */
  open({ uuid: roomId, roomToken }: Pick<Room, 'uuid' | 'roomToken'>): Conversation {
    const now = this.#clock.elapsedMs();
    const current = this.ofRoom(roomId);
    if (current) {
      current.seenAtMs = now;
      return current;
    }
    if (this.#conversations.size >= talkLimits.stages) throw talkError('crowd', { retryAfterSeconds: 60 });
    const conversation = new Conversation({ roomId, roomToken }, now);
    this.add(conversation);
    return conversation;
  }

  add(conversation: Conversation): void {
    this.#conversations.set(conversation.sid, conversation);
  }

  all(): Iterable<Conversation> {
    return this.#conversations.values();
  }

  ofRoom(roomId: string): Conversation | undefined {
    return [...this.#conversations.values()].find((conversation) => conversation.roomId === roomId);
  }

  /** Rooms with users or listeners. */
  guests(): { uuid: string; guests: number }[] {
    const now = this.#clock.elapsedMs();
    return [...this.#conversations.values()]
      .map((conversation) => ({ uuid: conversation.roomId, guests: conversation.guestsAt(now) }))
      .filter(({ guests }) => guests > 0);
  }

  get(sid: string): Conversation {
    const conversation = this.#conversations.get(sid);
    if (sid === '') throw new WeirError('missing_field', 'empty sid');
    if (!conversation) throw talkError('ended');
    conversation.seenAtMs = this.#clock.elapsedMs();
    return conversation;
  }

  /** Ends a conversation at once and cancels answers in progress. */
  close(conversation: Conversation): void {
    this.#conversations.delete(conversation.sid);
    conversation.end.abort();
  }

  closeAll(): void {
    for (const conversation of this.#conversations.values()) this.close(conversation);
  }

  sweep(): void {
    const now = this.#clock.elapsedMs();
    for (const conversation of this.#conversations.values()) {
      conversation.sweep(now);
      if (now - conversation.seenAtMs > idleMs) this.close(conversation);
    }
  }
}
