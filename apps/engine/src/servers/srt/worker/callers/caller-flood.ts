import { toNetwork } from '@weir/streams';

/** More calls of one network within the time are an attack: even refused, each costs libsrt memory for seconds. */
const mostCalls = 1000;
const withinMs = 2000;
const blockedMs = 10_000;
/** Networks that are counted at a time. A source address of UDP can be invented, and so can many. */
const mostNetworks = 10_000;
/** The kernel looks through the list for every handshake. */
const mostBlocked = 16;

/** Finds callers whose packets come too fast and should be ignored for a while. */
export class CallerFlood {
  readonly #onChange: (addresses: readonly string[]) => void;
  readonly #calls = new Map<string, number>();
  /** An address of each blocked network. */
  readonly #blocked = new Map<string, string>();
  #sinceMs = Number.NEGATIVE_INFINITY;

  /** `onChange` gets all that are to be blocked now. */
  constructor(onChange: (addresses: readonly string[]) => void) {
    this.#onChange = onChange;
  }

  get networks(): number {
    return this.#calls.size;
  }

  /** Counts a call. */
  note(address: string, nowMs: number): void {
    if (nowMs - this.#sinceMs > withinMs) {
      this.#calls.clear();
      this.#sinceMs = nowMs;
    }
    const network = toNetwork(address);
    if (this.#calls.size >= mostNetworks && !this.#calls.has(network)) return;
    const calls = (this.#calls.get(network) ?? 0) + 1;
    this.#calls.set(network, calls);
    if (calls > mostCalls && !this.#blocked.has(network)) this.#block(network, address);
  }

  #block(network: string, address: string): void {
    if (this.#blocked.size >= mostBlocked) return;
    this.#blocked.set(network, address);
    this.#onChange([...this.#blocked.values()]);
    setTimeout(() => {
      this.#blocked.delete(network);
      this.#onChange([...this.#blocked.values()]);
    }, blockedMs).unref();
  }
}
