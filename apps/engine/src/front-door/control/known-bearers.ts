import { hash } from 'node:crypto';

/** The hash of an Authorization header. */
export type Bearer = string & { readonly isHash: unique symbol };

export function parseBearer(authorization: string | undefined): Bearer | undefined {
  return authorization === undefined ? undefined : (hash('sha256', authorization, 'base64') as Bearer);
}

/** Longer than a console that is open asks for nothing. */
const keptMs = 10 * 60_000;
const mostKept = 200;

/**
 * Credentials that the control plane accepted a while ago, as hashes. Only it can judge one; this is for knowing cheaply,
 * while strangers fill every place, whose request is most likely an administrator's.
 */
export class KnownBearers {
  readonly #acceptedAtMs = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  has(bearer: Bearer | undefined): boolean {
    if (bearer === undefined) return false;
    const acceptedAtMs = this.#acceptedAtMs.get(bearer);
    return acceptedAtMs !== undefined && this.#now() - acceptedAtMs < keptMs;
  }

  /** Records the control plane's verdict on a credential. */
  learn(bearer: Bearer | undefined, { isAccepted, isRefused }: { isAccepted: boolean; isRefused: boolean }): void {
    if (bearer === undefined || !(isAccepted || isRefused)) return;
    this.#acceptedAtMs.delete(bearer);
    if (!isAccepted) return;
    this.#acceptedAtMs.set(bearer, this.#now());
    if (this.#acceptedAtMs.size <= mostKept) return;
    const [oldest] = this.#acceptedAtMs.keys();
    if (oldest !== undefined) this.#acceptedAtMs.delete(oldest);
  }
}
