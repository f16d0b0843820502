import { NetworkShares } from '../../../../hub/network-shares.ts';

/** A handshake takes some 2 ms of a core and 100 KB until it is over. */
const mostHandshakes = 300;
const mostUnproved = 150;
const provedShares = { network: 60, site: 100, region: 200 };
const unprovedShares = { network: 30, site: 50, region: 100 };

/** A handshake that is under way, to be given back when it is over. */
export interface Pass {
  readonly address: string;
  readonly isProved: boolean;
}

/**
 * Limit of simultaneous DTLS handshakes, in total and of one network. A refused peer tries again with its next check.
 * An unproved address may be forged, so unproved peers cannot use the slots of proved ones.
 */
export class HandshakeGate {
  readonly #proved = new NetworkShares(provedShares);
  readonly #unproved = new NetworkShares(unprovedShares);
  #count = 0;
  #unprovedCount = 0;

  enter(pass: Pass): boolean {
    if (this.#count >= mostHandshakes) return false;
    if (!pass.isProved && this.#unprovedCount >= mostUnproved) return false;
    if (!this.#shares(pass).take(pass.address)) return false;
    this.#count += 1;
    if (!pass.isProved) this.#unprovedCount += 1;
    return true;
  }

  leave(pass: Pass): void {
    this.#count -= 1;
    if (!pass.isProved) this.#unprovedCount -= 1;
    this.#shares(pass).giveBack(pass.address);
  }

  #shares({ isProved }: Pass): NetworkShares {
    return isProved ? this.#proved : this.#unproved;
  }
}
