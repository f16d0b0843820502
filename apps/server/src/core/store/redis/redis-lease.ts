import type { Words } from './redis-connection.ts';
import { endLeaseScript, renewLeaseScript, standbysScript, takeLeaseScript } from './redis-scripts.ts';
import type { RedisStore } from './redis-store.ts';

interface LeaseHolder {
  /** Id of one launcher run: a restarted control plane is the same node. */
  readonly node: string;
  /** URL for other nodes. */
  readonly url: string;
}

/** Validity of a lease without renewal. */
export const leaseMs = 6000;
/** Limit of shown nodes. */
const mostStandbys = 16;

/**
 * Leader election by a lease in the database. Each lease has a number higher than all before; a leader's writes carry
 * it, and the database refuses writes under an older one.
 */
export class RedisLease {
  readonly #store: RedisStore;
  readonly #holder: LeaseHolder;
  #epoch = '';

  constructor(store: RedisStore, holder: LeaseHolder) {
    this.#store = store;
    this.#holder = holder;
  }

  /** Fencing token of writes under this lease; empty before the first lease. */
  get epoch(): string {
    return this.#epoch;
  }

  /** True when it is ours now; otherwise where the leader is. */
  async take(): Promise<true | { readonly leader: string }> {
    const { lease, epoch, standbys } = this.#store.keys;
    // On enough replicas: a failover must not hand out the same number again.
    const [answer] = await this.#store.link.write([evaluation(takeLeaseScript, [lease, epoch, standbys], this.#terms)]);
    if (typeof answer !== 'number') return { leader: String(answer ?? '') };
    this.#epoch = String(answer);
    return true;
  }

  /** Returns false if another node holds the lease. */
  async renew(): Promise<boolean> {
    const { lease, epoch } = this.#store.keys;
    return (await this.#evaluate(renewLeaseScript, [lease, epoch], [...this.#terms, this.#epoch])) === 1;
  }

  /** Addresses of those who would take over now. */
  async standbys(): Promise<string[]> {
    const answer = await this.#evaluate(standbysScript, [this.#store.keys.standbys], [leaseMs, mostStandbys]);
    return Array.isArray(answer) ? answer.map(String) : [];
  }

  /** Releases the lease, so that no standby waits for its expiry. */
  async end(): Promise<void> {
    await this.#evaluate(endLeaseScript, [this.#store.keys.lease], [this.#epoch]);
  }

  get #terms(): (string | number)[] {
    return [this.#holder.node, this.#holder.url, leaseMs];
  }

  #evaluate(script: string, keys: readonly string[], values: readonly (string | number)[]) {
    return this.#store.link.call(evaluation(script, keys, values));
  }
}

function evaluation(script: string, keys: readonly string[], values: readonly (string | number)[]): Words {
  return ['EVAL', script, keys.length, ...keys, ...values];
}
