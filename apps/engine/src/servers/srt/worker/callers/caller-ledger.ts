import { NetworkShares } from '../../../../hub/network-shares.ts';
import { handshakeLimits } from '../libsrt/handshake-filter.ts';

/** Memory of libsrt for a connection, besides the list of what it has in flight: of a publisher with its large receive buffer. */
const publisherBytes = 200 * 1024;
/** A player's receive buffer is small, and the first block of its send buffer is there from the beginning. */
const playerBytes = 150 * 1024;
/** Memory of libsrt per packet of the flight window that the caller asks for: two entries of twelve octets. */
const bytesPerWindow = 24;
/** libsrt lets go of a closed connection by and by. */
const lingerMs = 3000;
/** Players of one network that confirm nothing may hold this much. Honest ones confirm within a round trip. */
const mostStalledBytes = 48 * 1024 * 1024;
/** Send buffers of one network may grow by this much in all. */
const mostGrownBytes = 32 * 1024 * 1024;

const listBytes = (window: number) => bytesPerWindow * Math.max(0, window);
const mostOfOne = publisherBytes + listBytes(handshakeLimits.mostWindow);
/** Size of a common player. Admission is decided before libsrt knows the size that a caller claims. */
const usualPlayer = playerBytes + listBytes(8192);

const smallShares = (bytes: number) => new NetworkShares({ network: bytes, site: bytes, region: 2 * bytes });

type Intent = 'publish' | 'play';

/** Memory counted for one connection. */
export interface CallerAccount {
  /** Counts more for it; false when there is no room. */
  grow(bytes: number): boolean;
  /** Notes that it confirms nothing (any more); false when its network holds too much in this way. */
  stall(): boolean;
  /** Notes that it confirms again. */
  resume(): void;
  /** Counts it for some more time, until libsrt has freed its memory. */
  leave(): void;
}

/**
 * Memory that callers cost in libsrt, in all and by network. Playing needs no secret, and how much a connection takes is for the
 * caller to say, up to a limit. Players that confirm nothing have a smaller share.
 */
export class CallerLedger {
  readonly #mostBytes: number;
  readonly #shares: NetworkShares;
  readonly #stalled: NetworkShares;
  readonly #grown: NetworkShares;
  /** Callers that were let in and not yet seen: each may have claimed the most. */
  #expected: { readonly address: string; readonly wants: Intent }[] = [];
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
    this.#shares = new NetworkShares({ network: mostBytes / 2, site: mostBytes / 2, region: (mostBytes * 3) / 4 });
    this.#stalled = smallShares(Math.min(mostStalledBytes, mostBytes / 2));
    this.#grown = smallShares(Math.min(mostGrownBytes, mostBytes / 2));
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Reserves space for one more caller from this address, if available. */
  expect(address: string, wants: Intent): boolean {
    if (wants === 'play' && !this.#stalled.take(address, usualPlayer)) return false;
    if (this.#reserve(address, mostOfOne)) {
      this.#expected.push({ address, wants });
      return true;
    }
    if (wants === 'play') this.#stalled.giveBack(address, usualPlayer);
    return false;
  }

  /** Drops reservations: admitted callers have come by now, or never will. */
  dropExpected(): void {
    for (const { address, wants } of this.#expected) {
      this.#giveBack(address, mostOfOne);
      if (wants === 'play') this.#stalled.giveBack(address, usualPlayer);
    }
    this.#expected = [];
  }

  /** Opens an account for a connection; undefined when there is no room. A player has confirmed nothing yet. */
  enter(address: string, window: number, wants: Intent): CallerAccount | undefined {
    let bytes = (wants === 'publish' ? publisherBytes : playerBytes) + listBytes(window);
    if (!this.#reserve(address, bytes)) return undefined;
    let stalledBytes = 0;
    let grownBytes = 0;
    const resume = () => {
      this.#stalled.giveBack(address, stalledBytes);
      stalledBytes = 0;
    };
    const stall = () => {
      if (stalledBytes > 0) return true;
      if (!this.#stalled.take(address, bytes)) return false;
      stalledBytes = bytes;
      return true;
    };
    const end = () => {
      resume();
      this.#grown.giveBack(address, grownBytes);
      this.#giveBack(address, bytes);
    };
    if (wants === 'play' && !stall()) {
      end();
      return undefined;
    }
    return {
      stall,
      resume,
      grow: (more) => {
        if (!this.#grown.take(address, more)) return false;
        if (!this.#reserve(address, more)) {
          this.#grown.giveBack(address, more);
          return false;
        }
        bytes += more;
        grownBytes += more;
        return true;
      },
      leave: () => void setTimeout(end, lingerMs).unref(),
    };
  }

  #reserve(address: string, bytes: number): boolean {
    if (this.#bytes + bytes > this.#mostBytes || !this.#shares.take(address, bytes)) return false;
    this.#bytes += bytes;
    return true;
  }

  #giveBack(address: string, bytes: number): void {
    this.#bytes -= bytes;
    this.#shares.giveBack(address, bytes);
  }
}
