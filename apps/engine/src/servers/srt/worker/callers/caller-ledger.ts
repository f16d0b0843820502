import { NetworkShares } from '../../../../hub/network-shares.ts';
import { handshakeLimits } from '../libsrt/handshake-filter.ts';

/** What libsrt keeps for a connection, beside the list of what it has in flight. */
const baseBytes = 200 * 1024;
/** Two entries of twelve octets for each packet that the caller claims to take at once. */
const bytesPerWindow = 24;
/** libsrt lets go of a closed connection by and by. */
const lingerMs = 3000;

const bytesOf = (window: number) => baseBytes + bytesPerWindow * Math.max(0, window);
const mostOfOne = bytesOf(handshakeLimits.mostWindow);

/**
 * What callers cost in libsrt's memory, in all and by network. Playing needs no secret, and how much a connection takes
 * is for the caller to say, up to a limit.
 */
export class CallerLedger {
  readonly #mostBytes: number;
  readonly #shares: NetworkShares;
  /** Addresses that were let in and not yet seen: each may have claimed the most. */
  #expected: string[] = [];
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
    this.#shares = new NetworkShares({ network: mostBytes / 2, site: mostBytes / 2, region: (mostBytes * 3) / 4 });
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether there is room for one more from this address; keeps it free if so. */
  expect(address: string): boolean {
    if (!this.#take(address, mostOfOne)) return false;
    this.#expected.push(address);
    return true;
  }

  /** Whoever was let in has come by now, or never will. */
  forgetExpected(): void {
    for (const address of this.#expected) this.#giveBack(address, mostOfOne);
    this.#expected = [];
  }

  /** Counts a connection until some time after the returned function was called; undefined when there is no room. */
  enter(address: string, window: number): (() => void) | undefined {
    const bytes = bytesOf(window);
    if (!this.#take(address, bytes)) return undefined;
    return () => void setTimeout(() => this.#giveBack(address, bytes), lingerMs).unref();
  }

  #take(address: string, bytes: number): boolean {
    if (this.#bytes + bytes > this.#mostBytes || !this.#shares.take(address, bytes)) return false;
    this.#bytes += bytes;
    return true;
  }

  #giveBack(address: string, bytes: number): void {
    this.#bytes -= bytes;
    this.#shares.giveBack(address, bytes);
  }
}
