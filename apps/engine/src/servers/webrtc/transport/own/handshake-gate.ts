import { NetworkShares } from '../../../../hub/network-shares.ts';

/** A handshake takes some 2 ms of a core and 100 KB until it is over. */
const mostHandshakes = 300;
const shares = { network: 60, site: 100, region: 200 };

/** How many DTLS handshakes are under way at a time, in all and from one network. Who finds no room tries again with its next check. */
export class HandshakeGate {
  readonly #shares = new NetworkShares(shares);
  #count = 0;

  enter(address: string): boolean {
    if (this.#count >= mostHandshakes || !this.#shares.take(address)) return false;
    this.#count += 1;
    return true;
  }

  leave(address: string): void {
    this.#count -= 1;
    this.#shares.giveBack(address);
  }
}
