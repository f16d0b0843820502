import { type Networks, toNetworks } from '@weir/streams';

/** The most of something that one network, site and region may hold at a time. */
export type NetworkLimits = Readonly<Record<keyof Networks, number>>;

const levels = ['network', 'site', 'region'] as const;

/** Counts what addresses hold (connections, requests, bytes), so that none of their networks takes everything. */
export class NetworkShares {
  readonly #limits: NetworkLimits;
  readonly #held: Readonly<Record<keyof Networks, Map<string, number>>> = {
    network: new Map(),
    site: new Map(),
    region: new Map(),
  };

  constructor(limits: NetworkLimits) {
    this.#limits = limits;
  }

  /** Tries to reserve an amount for the address. Reserved amounts must be given back, in any portions. */
  take(address: string, amount = 1): boolean {
    const networks = toNetworks(address);
    const isOver = levels.some((level) => this.#of(level, networks) + amount > this.#limits[level]);
    if (isOver) return false;
    for (const level of levels) this.#held[level].set(networks[level], this.#of(level, networks) + amount);
    return true;
  }

  giveBack(address: string, amount = 1): void {
    const networks = toNetworks(address);
    for (const level of levels) {
      const left = this.#of(level, networks) - amount;
      if (left > 0) this.#held[level].set(networks[level], left);
      else this.#held[level].delete(networks[level]);
    }
  }

  /** Amount held by the narrowest network of the address. */
  heldBy(address: string): number {
    return this.#of('network', toNetworks(address));
  }

  #of(level: keyof Networks, networks: Networks): number {
    return this.#held[level].get(networks[level]) ?? 0;
  }
}
