import type { StreamPlace } from '@weir/dialect';
import { IdleTimeout } from '@weir/plane';
import type { Hub } from '../hub.ts';
import { type NetworkLimits, NetworkShares } from '../network-shares.ts';
import type { Stream } from '../stream.ts';

export interface EarlyViewer {
  readonly place: StreamPlace;
  readonly address: string;
  /** Calls back once it has left, at the latest when that is of no interest any more. */
  readonly onGone?: ((then: () => void) => void) | undefined;
}

export interface EarlyLimits {
  /** Longest wait; 0 for none. */
  readonly ms: number;
  readonly all: number;
  readonly networks: NetworkLimits;
}

/** Viewers before the begin of a show may come from one house; each costs its connection and nothing else. */
export const earlyLimits: Omit<EarlyLimits, 'ms'> = {
  all: 4000,
  networks: { network: 200, site: 1000, region: 2000 },
};

/** Viewers that wait for a stream that nobody publishes yet. They are not counted meanwhile. */
export class EarlyViewers {
  readonly #hub: Hub;
  readonly #limits: EarlyLimits;
  readonly #shares: NetworkShares;
  #size = 0;

  constructor(hub: Hub, limits: EarlyLimits) {
    this.#hub = hub;
    this.#limits = limits;
    this.#shares = new NetworkShares(limits.networks);
  }

  get size(): number {
    return this.#size;
  }

  /** True if viewers may wait at all; the limits may still refuse one. */
  get isOpen(): boolean {
    return this.#limits.ms > 0 && this.#size < this.#limits.all;
  }

  /** The stream, or undefined when it did not come in time, the waiting one left, or there was no room. */
  wait({ place, address, onGone }: EarlyViewer, mostMs = Number.POSITIVE_INFINITY): Promise<Stream | undefined> {
    const { promise, resolve } = Promise.withResolvers<Stream | undefined>();
    if (!this.isOpen || !this.#shares.take(address)) return Promise.resolve(undefined);
    this.#size += 1;
    let isOver = false;
    const leave = (stream: Stream | undefined) => {
      if (isOver) return;
      isOver = true;
      patience.end();
      forget();
      this.#size -= 1;
      this.#shares.giveBack(address);
      resolve(stream);
    };
    const patience = new IdleTimeout(Math.min(this.#limits.ms, mostMs), () => leave(undefined));
    const forget = this.#hub.expect(place, leave);
    onGone?.(() => leave(undefined));
    return promise;
  }
}
