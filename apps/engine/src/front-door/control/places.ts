import { toNetworks } from '@weir/dialect';
import { NetworkShares } from '../../hub/network-shares.ts';
import type { Limits } from '../limits.ts';

/** A request that holds a place. */
interface Guest {
  /** Ends it, so that another has its place. */
  giveWay(): void;
}

/**
 * Who may have a request at the control plane. Each network has a share, and of a full house the region that holds most
 * gives its oldest request up for one that holds less. Whoever is signed in has places that strangers cannot take.
 */
export class Places {
  readonly #maxStrangers: number;
  readonly #maxKnown: number;
  readonly #shares: NetworkShares;
  /** Strangers by region, oldest first. */
  readonly #strangers = new Map<string, Set<Guest>>();
  #strangerCount = 0;
  #knownCount = 0;

  constructor({ maxUpstream, reservedUpstream, perNetwork }: Limits) {
    this.#maxStrangers = maxUpstream;
    this.#maxKnown = reservedUpstream;
    this.#shares = new NetworkShares(perNetwork);
  }

  /** Gives a place, and with it the means to leave it; undefined when there is none. */
  takeAsStranger(address: string, guest: Guest): (() => void) | undefined {
    const { region } = toNetworks(address);
    if (!this.#shares.take(address)) return undefined;
    if (this.#strangerCount >= this.#maxStrangers && !this.#makeRoom(region)) {
      this.#shares.giveBack(address);
      return undefined;
    }
    const neighbours = this.#strangers.get(region) ?? new Set();
    this.#strangers.set(region, neighbours.add(guest));
    this.#strangerCount++;
    return () => {
      this.#shares.giveBack(address);
      this.#remove(region, guest);
    };
  }

  takeAsKnown(): (() => void) | undefined {
    if (this.#knownCount >= this.#maxKnown) return undefined;
    this.#knownCount++;
    return () => {
      this.#knownCount--;
    };
  }

  /** Takes a place from the region that holds most, if that is more than the newcomer's would hold then. */
  #makeRoom(newcomer: string): boolean {
    let largest = '';
    for (const [region, { size }] of this.#strangers) {
      if (size > this.#sizeOf(largest)) largest = region;
    }
    if (this.#sizeOf(largest) <= this.#sizeOf(newcomer) + 1) return false;
    const [oldest] = this.#strangers.get(largest) ?? [];
    if (!oldest) return false;
    // Its end takes a moment to come about; its place is free now.
    this.#remove(largest, oldest);
    oldest.giveWay();
    return true;
  }

  #sizeOf(region: string): number {
    return this.#strangers.get(region)?.size ?? 0;
  }

  #remove(region: string, guest: Guest): void {
    const neighbours = this.#strangers.get(region);
    if (!neighbours?.delete(guest)) return;
    this.#strangerCount--;
    if (neighbours.size === 0) this.#strangers.delete(region);
  }
}
