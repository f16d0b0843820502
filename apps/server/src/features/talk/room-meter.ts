import type { Alert, Room, RoomUsage } from '@weir/contract';
import * as z from 'zod';
import { toUtcDay } from '../../ai/meter/usage-row.ts';
import type { Clock } from '../../core/clock.ts';
import type { Collection, Store } from '../../core/store/store.ts';
import { talkError } from './talk-access.ts';

const RoomDay = z.object({ day: z.string(), messages: z.int(), audioSeconds: z.number() });
type RoomDay = z.infer<typeof RoomDay>;

/** Counts the messages of each room per day and enforces the owner's daily limit. */
export class RoomMeter {
  readonly #rows: Collection<RoomDay>;
  readonly #clock: Clock;
  /** By room; loaded on first use. */
  readonly #days = new Map<string, RoomDay>();
  readonly #unwritten = new Set<string>();
  /** Alerts for rooms at their limit. */
  readonly #reached = new Map<string, { readonly day: string; readonly title: string }>();

  constructor({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
    this.#rows = store.collection('talk-usage', RoomDay);
    this.#clock = clock;
  }

  /** Counts a message. Throws at the daily limit. */
  async take({ uuid, title, aiMaxMessagesPerDay: most }: Room): Promise<void> {
    const day = await this.#today(uuid);
    if (most > 0 && day.messages >= most) {
      this.#reached.set(uuid, { day: day.day, title });
      throw talkError('day-limit');
    }
    this.#reached.delete(uuid);
    day.messages += 1;
    this.#unwritten.add(uuid);
  }

  async heard(uuid: string, seconds: number): Promise<void> {
    (await this.#today(uuid)).audioSeconds += seconds;
    this.#unwritten.add(uuid);
  }

  async usage({ uuid, aiMaxMessagesPerDay: mostMessages }: Room): Promise<RoomUsage> {
    const { day, messages, audioSeconds } = await this.#today(uuid);
    return { day, messages, audioSeconds, mostMessages, isReached: mostMessages > 0 && messages >= mostMessages };
  }

  /** Rooms that refused guests today. */
  alerts(): Alert[] {
    const today = toUtcDay(this.#clock.dateMs());
    return [...this.#reached.values()]
      .filter(({ day }) => day === today)
      .map(({ day, title }) => ({
        kind: 'ai-limit',
        severity: 'warn',
        since: `${day}T00:00:00.000Z`,
        count: 1,
        place: { page: 'scenario', tab: 'stream', child: '' },
        subject: 'rooms',
        label: title,
        cause: '',
      }));
  }

  /** Re-evaluates a room whose limit changed. */
  changed(uuid: string, room: Room | undefined): void {
    this.#reached.delete(uuid);
    if (room) return;
    this.#days.delete(uuid);
    this.#unwritten.add(uuid);
  }

  /** Saves the counts every few seconds instead of with each message. */
  async flush(): Promise<void> {
    for (const uuid of [...this.#unwritten]) {
      this.#unwritten.delete(uuid);
      const day = this.#days.get(uuid);
      await (day ? this.#rows.put(uuid, day) : this.#rows.delete(uuid)).catch((error: unknown) => {
        this.#unwritten.add(uuid);
        throw error;
      });
    }
  }

  async #today(uuid: string): Promise<RoomDay> {
    const today = toUtcDay(this.#clock.dateMs());
    const known = this.#days.get(uuid) ?? (await this.#rows.get(uuid));
    // Another caller may have loaded it since.
    const day = this.#days.get(uuid) ?? known;
    const current = day?.day === today ? day : { day: today, messages: 0, audioSeconds: 0 };
    this.#days.set(uuid, current);
    return current;
  }
}
