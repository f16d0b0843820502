import { generateKeyPairSync } from 'node:crypto';
import { CertProvider, orderFaults } from '@weir/contract';
import * as z from 'zod';
import type { Collection, Store } from '../../core/store/store.ts';

const only = 'https';

const Choice = z.object({ provider: CertProvider, domain: z.string() });
export type Choice = z.output<typeof Choice>;

const Outcome = z.object({
  state: z.enum(['issued', 'failed']),
  domain: z.string(),
  at: z.number(),
  reason: z.string().default(''),
  fault: z.enum(orderFaults).default('other'),
  failures: z.int().default(0),
});
export type Outcome = z.output<typeof Outcome>;

const Account = z.object({ key: z.string() });

/** Where the certificate in use comes from, how the last order went, and the accounts orders are made with. */
export class CertsRepository {
  readonly #choice: Collection<Choice>;
  readonly #outcome: Collection<Outcome>;
  readonly #accounts: Collection<z.output<typeof Account>>;

  constructor(store: Store) {
    this.#choice = store.collection('certs', Choice);
    this.#outcome = store.collection('certs-order', Outcome);
    this.#accounts = store.collection('acme-account', Account);
  }

  async choice(): Promise<Choice> {
    return (await this.#choice.get(only)) ?? { provider: '', domain: '' };
  }

  choose(choice: Choice): Promise<void> {
    return this.#choice.put(only, choice);
  }

  outcome(): Promise<Outcome | undefined> {
    return this.#outcome.get(only);
  }

  saveOutcome(outcome: Outcome): Promise<void> {
    return this.#outcome.put(only, outcome);
  }

  async forgetOutcome(): Promise<void> {
    await this.#outcome.delete(only);
  }

  /** The account is its key: made once for each directory, then kept. */
  async accountKey(directory: string): Promise<string> {
    const stored = await this.#accounts.get(directory);
    if (stored) return stored.key;
    const key = newKey();
    return (await this.#accounts.update(directory, (current) => current ?? { key })).key;
  }
}

/** ECDSA P-256, as PEM. */
export function newKey(): string {
  return String(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }));
}
