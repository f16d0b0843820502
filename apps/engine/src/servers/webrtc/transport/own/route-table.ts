import type { PeerRoutes } from './peer-routes.ts';

/** Sessions that may claim one address at a time. */
const mostClaims = 4;

/** A session, as far as its addresses matter. */
export interface Claimant {
  readonly isShaking: boolean;
  readonly routes: Pick<PeerRoutes, 'at' | 'sendCheck'>;
}

/**
 * Sessions that claim an address. A check proves knowledge of a password, not the sender's address: an observer can send one in a
 * publisher's name. So a claim never replaces another. Several claims of one address coexist; each must prove itself. Media goes to the
 * session with its key, DTLS only to a proved one.
 */
export class RouteTable<T extends Claimant> {
  readonly #claims = new Map<string, T[]>();
  /** By the transaction id of our unanswered check. */
  readonly #pending = new Map<string, T>();

  get size(): number {
    return this.#claims.size;
  }

  /** Called with each check, which restores an evicted claim. */
  claim(key: string, claimant: T): void {
    const claims = this.#claims.get(key);
    if (!claims) {
      this.#claims.set(key, [claimant]);
      return;
    }
    if (!claims.includes(claimant)) {
      if (claims.length >= mostClaims && !makeRoom(claims, key, claimant)) return;
      claims.push(claimant);
    }
    if (claims.length === 1) return;
    for (const each of claims) {
      const route = each.routes.at(key);
      if (route && !route.isProved) each.routes.sendCheck(route);
    }
  }

  release(key: string, claimant: T): void {
    const claims = this.#claims.get(key);
    const index = claims?.indexOf(claimant) ?? -1;
    if (!claims || index < 0) return;
    claims.splice(index, 1);
    if (claims.length === 0) this.#claims.delete(key);
  }

  /** Sessions that may have sent a packet from this address. */
  at(key: string): readonly T[] {
    return this.#claims.get(key) ?? [];
  }

  /** Moves a session to the front of its address. */
  prefer(key: string, claimant: T): void {
    const claims = this.#claims.get(key);
    const index = claims?.indexOf(claimant) ?? -1;
    if (claims && index > 0) claims.unshift(...claims.splice(index, 1));
  }

  /** True if DTLS may use the address: no other session claims it, or this one is proved there. */
  mayShake(key: string, claimant: T): boolean {
    const claims = this.at(key);
    return (claims.length === 1 && claims[0] === claimant) || claimant.routes.at(key)?.isProved === true;
  }

  /**
   * Receivers of a DTLS datagram. Among several new sessions the one checked last comes first: records name no session.
   */
  forDtls(key: string): readonly T[] {
    const claims = this.at(key);
    if (claims.length < 2) return claims;
    const proved = claims.filter((each) => each.routes.at(key)?.isProved);
    const heardMs = (each: T) => each.routes.at(key)?.heardMs ?? 0;
    const [newest] = proved.filter(({ isShaking }) => isShaking).sort((a, b) => heardMs(b) - heardMs(a));
    // An established session drops datagrams that are not protected with its keys.
    return proved.filter((each) => each === newest || !each.isShaking);
  }

  addCheck(transactionId: Buffer, claimant: T): void {
    this.#pending.set(transactionId.toString('latin1'), claimant);
  }

  findPending(transactionId: Buffer): T | undefined {
    return this.#pending.get(transactionId.toString('latin1'));
  }

  cancelCheck(transactionId: Buffer): void {
    this.#pending.delete(transactionId.toString('latin1'));
  }
}

/** Evicts a claim without a proof. One with a proof gives way only to another with a proof, if it was silent for longest. */
function makeRoom(claims: Claimant[], key: string, newcomer: Claimant): boolean {
  const unproved = claims.findIndex((each) => !each.routes.at(key)?.isProved);
  if (unproved >= 0) {
    claims.splice(unproved, 1);
    return true;
  }
  if (!newcomer.routes.at(key)?.isProved) return false;
  const heard = claims.map((each) => each.routes.at(key)?.heardMs ?? 0);
  claims.splice(heard.indexOf(Math.min(...heard)), 1);
  return true;
}
