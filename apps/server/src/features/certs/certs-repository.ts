import { generateKeyPairSync } from 'node:crypto';
import { CertProvider, orderFaults } from '@weir/contract';
import * as z from 'zod';
import type { Setting, Single } from '../../core/store/setting.ts';
import type { Collection, Store } from '../../core/store/store.ts';

const Choice = z.object({ provider: CertProvider.default(''), domain: z.string().default('') });
export type Choice = z.output<typeof Choice>;

const Outcome = z.object({
  state: z.enum(['issued', 'failed']),
  domain: z.string(),
  at: z.number(),
  reason: z.string().default(''),
  fault: z.enum(orderFaults).default('other'),
  failures: z.int().default(0),
});
type Outcome = z.output<typeof Outcome>;

const Account = z.object({ key: z.string() });

/** Source of the certificate in use, result of the last order, and ACME accounts. */
export class CertsRepository {
  readonly #choice: Setting<Choice>;
  readonly #outcome: Single<Outcome>;
  readonly #accounts: Collection<z.output<typeof Account>>;

  constructor(store: Store) {
    this.#choice = store.setting('certs/https', Choice);
    this.#outcome = store.single('certs-order/https', Outcome);
    this.#accounts = store.collection('acme-account', Account);
  }

  choice(): Promise<Choice> {
    return this.#choice.read();
  }

  choose(choice: Choice): Promise<void> {
    return this.#choice.put(choice);
  }

  outcome(): Promise<Outcome | undefined> {
    return this.#outcome.get();
  }

  saveOutcome(outcome: Outcome): Promise<void> {
    return this.#outcome.put(outcome);
  }

  async forgetOutcome(): Promise<void> {
    await this.#outcome.delete();
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
