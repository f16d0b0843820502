import { type Room, talkLimits } from '@weir/contract';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import { Conversation } from './conversation.ts';
import { talkError } from './talk-access.ts';

/** Without a call. */
export const stageMs = 600_000;

/** Conversations that go on; one in each room. */
export class Conversations {
  readonly #stages = new Map<string, Conversation>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Joins the conversation of a room, or begins it. */
  open({ uuid: roomId, roomToken }: Pick<Room, 'uuid' | 'roomToken'>): Conversation {
    const now = this.#clock.elapsedMs();
    const current = this.ofRoom(roomId);
    if (current) {
      current.seenAtMs = now;
      return current;
    }
    if (this.#stages.size >= talkLimits.stages) throw talkError('crowd', { retryAfterSeconds: 60 });
    const stage = new Conversation({ roomId, roomToken }, now);
    this.add(stage);
    return stage;
  }

  add(stage: Conversation): void {
    this.#stages.set(stage.sid, stage);
  }

  all(): Iterable<Conversation> {
    return this.#stages.values();
  }

  ofRoom(roomId: string): Conversation | undefined {
    return [...this.#stages.values()].find((stage) => stage.roomId === roomId);
  }

  /** Rooms in which somebody takes part or listens. */
  guests(): { uuid: string; guests: number }[] {
    const now = this.#clock.elapsedMs();
    return [...this.#stages.values()]
      .map((stage) => ({ uuid: stage.roomId, guests: stage.guestsAt(now) }))
      .filter(({ guests }) => guests > 0);
  }

  get(sid: string): Conversation {
    const stage = this.#stages.get(sid);
    if (sid === '') throw new WeirError('missing_field', 'empty sid');
    if (!stage) throw talkError('ended');
    stage.seenAtMs = this.#clock.elapsedMs();
    return stage;
  }

  /** Ends a conversation at once, whatever is being said. */
  close(stage: Conversation): void {
    this.#stages.delete(stage.sid);
    stage.end.abort();
  }

  closeAll(): void {
    for (const stage of this.#stages.values()) this.close(stage);
  }

  sweep(): void {
    const now = this.#clock.elapsedMs();
    for (const stage of this.#stages.values()) {
      stage.sweep(now);
      if (now - stage.seenAtMs > stageMs) this.close(stage);
    }
  }
}
