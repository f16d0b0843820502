import type { Alert, StoreFault } from '@weir/contract';
import type { Clock } from '../../core/clock.ts';
import type { Store } from '../../core/store/store.ts';

/** Problems of the settings store, with the start of each. */
export class StoreAlerts {
  readonly #store: Store;
  readonly #clock: Clock;
  #seen = new Map<StoreFault, string>();

  constructor({ store, clock }: { store: Store; clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
  }

  async look(canBeRead: boolean): Promise<Alert[]> {
    // A store that became unreachable meanwhile is noticed by the next check.
    const risks = canBeRead ? await this.#store.risks?.().catch(() => []) : (['away'] as const);
    const now = new Date(this.#clock.dateMs()).toISOString();
    this.#seen = new Map((risks ?? []).map((fault) => [fault, this.#seen.get(fault) ?? now]));
    return [...this.#seen].map(([cause, since]) => ({
      ...({ kind: 'store', severity: cause === 'away' ? 'bad' : 'warn', since, count: 1 } as const),
      ...({ place: { page: 'scenario', tab: 'overview', child: '' }, subject: '', label: '', cause } as const),
    }));
  }
}
