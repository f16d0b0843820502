import { randomBytes, randomUUID } from 'node:crypto';
import { RewindRule, type rewindApi, rewindLimits } from '@weir/contract';
import { RewindRules } from '@weir/engine-api';
import * as z from 'zod';
import { WeirError } from '../../core/errors.ts';
import { Mutex } from '../../core/mutex.ts';
import type { Single } from '../../core/store/setting.ts';
import type { Store } from '../../core/store/store.ts';
import type { MediaServer } from '../../media-server/media-server.ts';

interface Context {
  readonly store: Store;
  readonly mediaServer: Pick<MediaServer, 'applySettings' | 'lacks'>;
  /** Called after a change, before it is confirmed. */
  readonly onChange: () => Promise<void>;
}

type RuleChange = z.output<typeof rewindApi.save.body>;

const Stored = z.object({ rules: z.array(RewindRule).default([]), key: z.string().default('') });
type Stored = z.output<typeof Stored>;

const keyBytes = 32;

/** How far viewers may go back, by rules of the owner. */
export class RewindService {
  readonly #context: Context;
  readonly #stored: Single<Stored>;
  readonly #turns = new Mutex();
  /** Every segment asks. */
  #compiled: { readonly rules: readonly RewindRule[]; readonly matcher: RewindRules } | undefined;

  constructor(context: Context) {
    this.#context = context;
    this.#stored = context.store.single('rewind/rules', Stored);
  }

  get isAvailable(): boolean {
    return !this.#context.mediaServer.lacks.includes('rewind');
  }

  async rules(): Promise<readonly RewindRule[]> {
    return (await this.#stored.get())?.rules ?? [];
  }

  async matcher(): Promise<RewindRules> {
    const rules = this.isAvailable ? await this.rules() : [];
    if (!this.#compiled || JSON.stringify(this.#compiled.rules) !== JSON.stringify(rules)) {
      this.#compiled = { rules, matcher: new RewindRules(rules) };
    }
    return this.#compiled.matcher;
  }

  save({ id, ...change }: RuleChange): Promise<RewindRule> {
    return this.#turns.take(async () => {
      if (!this.isAvailable) {
        throw new WeirError('unavailable', 'rewinding needs the embedded engine, start without WEIR_ENGINE=srs');
      }
      const rules = await this.rules();
      if (id !== undefined && !rules.some((rule) => rule.id === id)) throw noRule();
      if (id === undefined && rules.length >= rewindLimits.rules) {
        throw new WeirError('invalid_input', `at most ${rewindLimits.rules} rules are possible, remove one first`);
      }
      if (rules.some((rule) => rule.pattern === change.pattern && rule.id !== id)) {
        throw new WeirError('invalid_input', 'pattern: there is a rule for it already, change that one');
      }
      const rule: RewindRule = { ...change, id: id ?? randomUUID() };
      await this.#put(id === undefined ? [...rules, rule] : rules.map((each) => (each.id === id ? rule : each)));
      return rule;
    });
  }

  remove(id: string): Promise<void> {
    return this.#turns.take(async () => {
      const rules = await this.rules();
      if (!rules.some((rule) => rule.id === id)) throw noRule();
      await this.#put(rules.filter((rule) => rule.id !== id));
    });
  }

  /** Tells the engine. */
  async push(): Promise<void> {
    if (!this.isAvailable) return;
    const { rules, key } = await this.#stored.first(() => ({ rules: [], key: newKey() }));
    await this.#context.mediaServer.applySettings({
      rewind: { rules: rules.map(({ pattern, windowSeconds }) => ({ pattern, windowSeconds })), key },
    });
  }

  async #put(rules: RewindRule[]): Promise<void> {
    await this.#stored.update((before) => ({ rules, key: before?.key || newKey() }));
    await this.#context.onChange();
  }
}

const newKey = () => randomBytes(keyBytes).toString('base64url');

const noRule = () => new WeirError('not_found', 'there is no such rule');
