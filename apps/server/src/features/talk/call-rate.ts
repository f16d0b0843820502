import { toNetwork } from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import { talkError } from './talk-access.ts';

const windowMs = 60_000;
/** Networks with a count of their own; all further ones share one count. */
const mostNetworks = 10_000;

interface Share {
  readonly room: number;
  readonly network: number;
}

/** Limits AI calls of guests per minute, because each costs the owner money. */
export class CallRate {
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  readonly #share: Share;
  #rooms = new Map<string, number>();
  #networks = new Map<string, number>();
  #sinceMs = 0;

  constructor(clock: Pick<Clock, 'elapsedMs'>, share: Share) {
    this.#clock = clock;
    this.#share = share;
  }

  /** Throws when a room or a network has reached its limit of this minute. */
  take(roomId: string, address: string): void {
    const now = this.#clock.elapsedMs();
    if (now - this.#sinceMs > windowMs) {
      [this.#rooms, this.#networks] = [new Map(), new Map()];
      this.#sinceMs = now;
    }
    const own = toNetwork(address);
    const network = this.#networks.has(own) || this.#networks.size < mostNetworks ? own : 'others';
    const [byRoom, byNetwork] = [this.#rooms.get(roomId) ?? 0, this.#networks.get(network) ?? 0];
    if (byRoom >= this.#share.room || byNetwork >= this.#share.network) {
      const retryAfterSeconds = Math.ceil((windowMs - (now - this.#sinceMs)) / 1000);
      throw talkError('minute-limit', { retryAfterSeconds });
    }
    this.#rooms.set(roomId, byRoom + 1);
    this.#networks.set(network, byNetwork + 1);
  }
}
