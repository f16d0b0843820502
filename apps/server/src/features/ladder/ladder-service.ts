import { randomUUID } from 'node:crypto';
import { type LadderCost, LadderRule, type ladderApi, ladderRuleLimits } from '@weir/contract';
import { type LadderEncoding, placeText } from '@weir/streams';
import * as z from 'zod';
import { WeirError } from '../../core/errors.ts';
import { Mutex } from '../../core/mutex.ts';
import type { Setting } from '../../core/store/setting.ts';
import type { Store } from '../../core/store/store.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import type { LiveInput, LiveInputs } from '../../outlets/live-inputs.ts';
import type { EncoderTests } from './encoder-tests.ts';
import type { FreeCpu } from './free-cpu.ts';
import { needOf, roomText, ruleOf, rungsFor } from './ladder-plan.ts';
import { type LadderRunner, sourceOf } from './ladder-runner.ts';
import type { Costs, RungCosts } from './rung-costs.ts';

interface Context {
  readonly store: Store;
  readonly mediaServer: Pick<MediaServer, 'streams' | 'lacks'>;
  readonly inputs: Pick<LiveInputs, 'look'>;
  readonly tests: EncoderTests;
  readonly costs: RungCosts;
  readonly machine: FreeCpu;
  readonly runner: Pick<LadderRunner, 'usedBy'>;
}

type RuleChange = z.output<typeof ladderApi.save.body>;
type CostQuestion = z.output<typeof ladderApi.measure.body>;

const Rules = z.object({ rules: z.array(LadderRule).default([]) });

/** Rules of the owner for lower qualities, and estimates of their cost. */
export class LadderService {
  readonly #context: Context;
  readonly #rules: Setting<z.output<typeof Rules>>;
  readonly #turns = new Mutex();

  constructor(context: Context) {
    this.#context = context;
    this.#rules = context.store.setting('ladders/rules', Rules);
  }

  get isAvailable(): boolean {
    return !this.#context.mediaServer.lacks.includes('ladders');
  }

  async rules(): Promise<readonly LadderRule[]> {
    return (await this.#rules.read()).rules;
  }

  save({ id, ...change }: RuleChange): Promise<LadderRule> {
    return this.#turns.take(async () => {
      this.assertAvailable();
      const rules = await this.rules();
      if (id !== undefined && !rules.some((rule) => rule.id === id)) throw noRule();
      if (id === undefined && rules.length >= ladderRuleLimits.rules) {
        throw new WeirError('invalid_input', `at most ${ladderRuleLimits.rules} rules are possible, remove one first`);
      }
      if (rules.some((rule) => rule.pattern === change.pattern && rule.id !== id)) {
        throw new WeirError('invalid_input', 'pattern: there is a rule for it already, change that one');
      }
      const rungs = change.rungs.toSorted((a, b) => b.lines - a.lines);
      const rule: LadderRule = { ...change, rungs, id: id ?? randomUUID() };
      await this.#assertEncoder(rule);
      const all = id === undefined ? [...rules, rule] : rules.map((each) => (each.id === id ? rule : each));
      if (rule.enabled && !rule.isForced) await this.#assertRoom(rule, all);
      await this.#rules.put({ rules: all });
      return rule;
    });
  }

  remove(id: string): Promise<void> {
    return this.#turns.take(async () => {
      const rules = await this.rules();
      if (!rules.some((rule) => rule.id === id)) throw noRule();
      await this.#rules.put({ rules: rules.filter((rule) => rule.id !== id) });
    });
  }

  async measure({ vhost, app, stream, ...wanted }: CostQuestion): Promise<LadderCost> {
    this.assertAvailable();
    const { tests, costs, machine } = this.#context;
    const place = { vhost, app, stream };
    const live = (await this.#live()).find(({ input }) => placeText(input) === placeText(place));
    if (!live) throw new WeirError('not_found', 'the stream is not live, or has no video yet');
    const encoder = wanted.encoder === '' ? await tests.chosen() : await tests.of(wanted.encoder);
    if (!encoder?.isUsable) throw new WeirError('unavailable', 'no such encoder works on this machine');
    const rungs = rungsFor(wanted.rungs, live.video);
    if (rungs.length === 0) throw new WeirError('invalid_input', 'rungs: the stream is smaller than all of them');
    const encoding = { encoder: encoder.encoder, preset: wanted.preset, device: encoder.device, rungs };
    const free = await machine.freePercent();
    const cost = await costs.measure(live.input, sourceOf(live.video), encoding);
    return { encoder: encoder.encoder, ...this.#judge(live.input, cost, free) };
  }

  assertAvailable(): void {
    if (this.isAvailable) return;
    throw new WeirError('unavailable', 'ladders need the embedded engine, start without WEIR_ENGINE=srs');
  }

  #judge(input: LiveInput, costs: Costs, free: number): Omit<LadderCost, 'encoder'> {
    const all = free + this.#context.runner.usedBy(input, costs);
    const need = needOf(costs);
    return {
      decodePercent: costs.decodePercent,
      rungs: [...costs.rungs],
      needPercent: need,
      freePercent: all,
      fits: need <= all,
    };
  }

  async #live() {
    const [streams, { streams: inputs }] = await Promise.all([
      this.#context.mediaServer.streams(),
      this.#context.inputs.look(),
    ]);
    return streams.flatMap(({ vhost, app, name: stream, media }) => {
      const input = inputs.find((one) => placeText(one) === placeText({ vhost, app, stream }));
      return input && media?.video ? [{ input, video: media.video }] : [];
    });
  }

  async #assertEncoder({ encoder }: LadderRule): Promise<void> {
    if (encoder === '') return;
    const { isUsable, detail, fault } = await this.#context.tests.of(encoder);
    if (isUsable) return;
    throw new WeirError('invalid_input', `encoder: ${encoder} does not work on this machine (${detail || fault})`);
  }

  /** Refuses what is known not to fit for a stream that is live. What is not known is measured when the stream comes. */
  async #assertRoom(rule: LadderRule, all: readonly LadderRule[]): Promise<void> {
    const { tests, costs, machine } = this.#context;
    for (const { input, video } of await this.#live().catch(() => [])) {
      if (ruleOf(all, input)?.id !== rule.id) continue;
      const { encoder, device } = (rule.encoder === '' ? await tests.chosen() : await tests.of(rule.encoder)) ?? {};
      if (encoder === undefined || device === undefined) continue;
      const encoding: LadderEncoding = { encoder, device, preset: rule.preset, rungs: rungsFor(rule.rungs, video) };
      const known = costs.known(input, sourceOf(video), encoding);
      if (!known) continue;
      const { fits, needPercent, freePercent } = this.#judge(input, known, await machine.freePercent());
      if (fits) continue;
      const remedy = 'choose a faster preset or fewer qualities, or make them all the same';
      throw new WeirError('invalid_input', `rungs: ${roomText(needPercent, freePercent)}, ${remedy}`, {
        why: { kind: 'ladder-room', fact: `${Math.ceil(needPercent)}/${Math.floor(freePercent)}` },
      });
    }
  }
}

function noRule(): WeirError {
  return new WeirError('not_found', 'there is no such rule');
}
