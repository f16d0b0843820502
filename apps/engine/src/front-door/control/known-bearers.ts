import { hash } from 'node:crypto';

/** Told by the control plane on answers to whoever it accepted; clients never see it. */
export const acceptedHeader = 'x-weir-accepted';

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

  has(authorization: string | undefined): boolean {
    if (authorization === undefined || this.#acceptedAtMs.size === 0) return false;
    const acceptedAtMs = this.#acceptedAtMs.get(hashOf(authorization));
    return acceptedAtMs !== undefined && this.#now() - acceptedAtMs < keptMs;
  }

  /** What the control plane made of a request with this header. */
  learn(
    authorization: string | undefined,
    { isAccepted, isRefused }: { isAccepted: boolean; isRefused: boolean },
  ): void {
    if (authorization === undefined || !(isAccepted || isRefused)) return;
    const bearer = hashOf(authorization);
    this.#acceptedAtMs.delete(bearer);
    if (!isAccepted) return;
    this.#acceptedAtMs.set(bearer, this.#now());
    if (this.#acceptedAtMs.size <= mostKept) return;
    const [oldest] = this.#acceptedAtMs.keys();
    if (oldest !== undefined) this.#acceptedAtMs.delete(oldest);
  }
}

function hashOf(text: string): string {
  return hash('sha256', text, 'base64');
}
