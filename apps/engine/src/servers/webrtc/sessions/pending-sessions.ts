import { type Networks, toNetworks } from '@weir/streams';

/** Offers need no secret to play: those that never connect are few, and few from one network. Each costs over a megabyte. */
const mostWaiting = 300;
const mostOfNetwork = 40;
/** Real clients are connected by then, on nearly every link. */
const politeMs = 3000;
/** Sessions that may start at once without being evicted. */
const politeCounts: Readonly<Record<keyof Networks, number>> = { region: 100, site: 40, network: 4 };
const levels = ['region', 'site', 'network'] as const;
/** A peer that has not connected by then never will; sooner when many wait. */
const patienceMs = 12_000;
const shortPatienceMs = 5000;

export interface Waiting {
  readonly address: string;
  readonly sinceMs: number;
}

interface Seat<T> {
  readonly guest: T;
  readonly networks: Networks;
}

/**
 * Sessions that got an answer and are not connected yet. When full, the oldest session of the largest network is
 * evicted, so that a network that fills it harms only itself.
 */
export class PendingSessions<T extends Waiting> {
  /** The longest waiting first. */
  readonly #seats = new Map<T, Seat<T>>();

  get size(): number {
    return this.#seats.size;
  }

  /** Current connection timeout. */
  get patienceMs(): number {
    return this.#seats.size > mostWaiting / 2 ? shortPatienceMs : patienceMs;
  }

  enter(guest: T): void {
    this.#seats.set(guest, { guest, networks: toNetworks(guest.address) });
  }

  leave(guest: T): void {
    this.#seats.delete(guest);
  }

  /** Checks space for one more session from this address, and names the one to evict for it. */
  makeRoom(address: string, nowMs: number): { readonly hasRoom: boolean; readonly leaving: T | undefined } {
    const networks = toNetworks(address);
    const own = [...this.#seats.values()].filter((seat) => seat.networks.network === networks.network);
    if (own.length >= mostOfNetwork) return roomOf(own[0], isLate(own[0], nowMs));
    if (this.#seats.size < mostWaiting) return { hasRoom: true, leaving: undefined };
    // The region with the most, in it the site, in that the network.
    let seats: readonly Seat<T>[] = [...this.#seats.values()];
    let isGreedy = false;
    for (const level of levels) {
      seats = largestGroup(seats, level);
      const isStranger = seats[0]?.networks[level] !== networks[level];
      if (isStranger && seats.length > politeCounts[level]) isGreedy = true;
    }
    return roomOf(seats[0], isGreedy || isLate(seats[0], nowMs));
  }
}

function roomOf<T>(seat: Seat<T> | undefined, hasRoom: boolean) {
  return { hasRoom, leaving: hasRoom ? seat?.guest : undefined };
}

function isLate(seat: Seat<Waiting> | undefined, nowMs: number): boolean {
  return seat !== undefined && nowMs - seat.guest.sinceMs > politeMs;
}

function largestGroup<T>(seats: readonly Seat<T>[], level: keyof Networks): readonly Seat<T>[] {
  const groups = Map.groupBy(seats, ({ networks }) => networks[level]);
  let largest: readonly Seat<T>[] = [];
  for (const group of groups.values()) if (group.length > largest.length) largest = group;
  return largest;
}
