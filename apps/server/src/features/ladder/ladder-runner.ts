import type { LadderRow, LadderRule } from '@weir/contract';
import type { LadderPlan, LadderStatus } from '@weir/engine-api';
import type { Log } from '@weir/plane';
import { type LadderRung, placeText, streamLabel, type WirePlace } from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import type { LiveStream, MediaServer } from '../../media-server/media-server.ts';
import type { LiveInputs } from '../../outlets/live-inputs.ts';
import type { EncoderTests } from './encoder-tests.ts';
import type { FreeCpu } from './free-cpu.ts';
import { admit, needOf, roomText, ruleOf, rungsFor, withoutDearest } from './ladder-plan.ts';
import type { Costs, RungCosts } from './rung-costs.ts';

interface Context {
  readonly rules: () => Promise<readonly LadderRule[]>;
  readonly mediaServer: Pick<MediaServer, 'streams' | 'ladders' | 'applySettings'>;
  readonly inputs: Pick<LiveInputs, 'look'>;
  readonly tests: EncoderTests;
  readonly costs: RungCosts;
  readonly machine: FreeCpu;
  readonly clock: Clock;
  readonly log: Log;
}

type Video = NonNullable<NonNullable<LiveStream['media']>['video']>;

interface HeldRung extends LadderRung {
  readonly percent: number | null;
}

/** Decision about one stream. */
interface Held {
  readonly place: WirePlace;
  readonly clientId: string;
  /** Rule and video format of the stream. A change of them needs another decision. */
  readonly form: string;
  readonly rule: LadderRule;
  state: 'measuring' | 'decided' | 'refused' | 'idle';
  cause: LadderRow['cause'];
  reason: string;
  encoder: string;
  costs: Costs | undefined;
  rungs: readonly HeldRung[];
  freePercent: number;
  /** Plan for the engine. The last one stays while the next is being decided. */
  plan: LadderPlan | undefined;
  /** Time of the last decision. */
  atMs: number;
  behind: number;
}

/** Codecs that a ladder can be encoded from. */
const usableCodecs = ['H264', 'H265'];
const nothing = JSON.stringify([]);
/** Number of successive reviews at which the engine was behind, before qualities are left out. */
const mostBehind = 2;
/** Time for which the engine still reports an earlier backlog after a change. */
const settleMs = 15_000;
/** Time after which a refusal is reconsidered, by its cause. */
const againMs = { room: 30_000, overload: 600_000, sample: 15_000, encoder: 60_000 } as const;

/** Decides for every live stream with a rule which qualities the engine encodes, and corrects the decision by the engine's reports. */
export class LadderRunner {
  readonly #context: Context;
  readonly #held = new Map<string, Held>();
  #statuses = new Map<string, LadderStatus>();
  #sent: string | undefined;
  /** Cause of the last logged refusal by stream. Each cause is logged once, although the decision is repeated. */
  readonly #logged = new Map<string, string>();

  constructor(context: Context) {
    this.#context = context;
  }

  /** Sends the plans again, because the engine has just started without any. */
  resend(): void {
    this.#sent = undefined;
  }

  rows(): LadderRow[] {
    return [...this.#held.values()].map((held) => toRow(held, this.#statuses.get(placeText(held.place))));
  }

  /** CPU that a running ladder uses now, in percent of a core. */
  usedBy(place: WirePlace, { decodePercent, rungs }: Costs): number {
    const key = placeText(place);
    if (this.#statuses.get(key)?.state !== 'running') return 0;
    const lines = new Set(this.#held.get(key)?.plan?.rungs.map((rung) => rung.lines));
    const made = rungs.filter((rung) => lines.has(rung.lines));
    return made.reduce((sum, { percent }) => sum + percent, made.length > 0 ? decodePercent : 0);
  }

  /** Reviews all live streams. Called once a second. */
  async review(): Promise<void> {
    const { mediaServer } = this.#context;
    const rules = (await this.#context.rules()).filter(({ enabled }) => enabled);
    if (rules.length === 0) {
      if (this.#held.size === 0 && this.#sent === nothing) return;
      this.#held.clear();
    } else {
      const [streams, statuses] = await Promise.all([mediaServer.streams(), mediaServer.ladders()]);
      const isFirst = this.#sent === undefined && this.#held.size === 0;
      this.#statuses = new Map(statuses.map((status) => [placeText(status), status]));
      this.#reviewStreams(streams, rules, isFirst);
    }
    await this.#sendPlans();
  }

  #reviewStreams(streams: readonly LiveStream[], rules: readonly LadderRule[], isFirst: boolean): void {
    const seen = new Set<string>();
    for (const { vhost, app, name: stream, clientId, media } of streams) {
      const place = { vhost, app, stream };
      const rule = ruleOf(rules, place);
      if (!rule) continue;
      const key = placeText(place);
      const held = this.#held.get(key);
      // A stream is live before its tracks are known.
      if (!media?.video) {
        if (held?.clientId === clientId) seen.add(key);
        continue;
      }
      seen.add(key);
      const { codec, width, height } = media.video;
      const form = JSON.stringify([rule, codec, width, height]);
      if (held?.clientId === clientId && held.form === form) this.#reviewDecision(held);
      else this.#begin({ place, clientId, form, rule, plan: held?.plan }, media.video, isFirst);
    }
    for (const key of this.#held.keys()) if (!seen.has(key)) this.#held.delete(key);
    for (const key of this.#logged.keys()) if (!seen.has(key)) this.#logged.delete(key);
  }

  #begin(facts: Pick<Held, 'place' | 'clientId' | 'form' | 'rule' | 'plan'>, video: Video, isFirst: boolean): void {
    const { rule, place } = facts;
    const rungs = rungsFor(rule.rungs, video).map((rung) => ({ ...rung, percent: null }));
    const held: Held = {
      ...facts,
      state: 'measuring',
      cause: '',
      reason: '',
      encoder: rule.encoder,
      costs: undefined,
      rungs,
      freePercent: 0,
      atMs: this.#context.clock.elapsedMs(),
      behind: 0,
    };
    this.#held.set(placeText(place), held);
    const status = this.#statuses.get(placeText(place));
    if (rungs.length === 0) {
      held.state = 'idle';
      held.reason = 'the picture is smaller than all of the qualities';
      held.plan = undefined;
    } else if (isFirst && status && isSame(status, rungs)) {
      // Only this server restarted: the running ladder is adopted without a measurement, which would interrupt it.
      void this.#adopt(held, status);
    } else void this.#decide(held, sourceOf(video), usableCodecs.includes(video.codec));
  }

  async #adopt(held: Held, { encoder }: LadderStatus): Promise<void> {
    const { device } = await this.#context.tests.of(encoder);
    this.#setPlan(held, { encoder, device }, held.rungs);
  }

  /** Never rejects: a failure becomes the reason that the console shows. */
  async #decide(held: Held, source: string, isTaken: boolean): Promise<void> {
    const { tests, costs, inputs, machine, log } = this.#context;
    const { rule, place } = held;
    try {
      const encoder = rule.encoder === '' ? await tests.chosen() : await tests.of(rule.encoder);
      if (!encoder?.isUsable) {
        const why = rule.encoder === '' ? 'no encoder works' : `${rule.encoder} does not work`;
        this.#refuse(held, 'encoder', `${why} on this machine`);
        return;
      }
      held.encoder = encoder.encoder;
      // Other codecs go to the engine too: it reports why it encodes nothing from them.
      if (rule.isForced || !isTaken) {
        this.#setPlan(held, encoder, held.rungs);
        return;
      }
      const input = (await inputs.look()).streams.find((one) => placeText(one) === placeText(place));
      if (!input) throw new Error('the stream is not there');
      const { preset } = rule;
      const encoding = { encoder: encoder.encoder, preset, device: encoder.device, rungs: held.rungs };
      // Asked before the measurement, which uses CPU itself.
      const free = await machine.freePercent();
      held.costs = await costs.measure(input, source, encoding);
      held.rungs = held.costs.rungs;
      held.freePercent = free + this.usedBy(place, held.costs);
      this.#admit(held, encoder);
    } catch (error) {
      log.debug({ err: error, stream: streamLabel(place) }, 'ladder not measured');
      this.#refuse(held, 'sample', error instanceof Error ? error.message : 'the stream could not be measured');
    }
  }

  #admit(held: Held, encoder: { readonly encoder: LadderPlan['encoder']; readonly device: string }): void {
    const { costs } = held;
    if (!costs) return;
    const admitted = admit(costs, held.freePercent);
    const reason = roomText(needOf(costs), held.freePercent);
    if (admitted.length === 0) {
      this.#refuse(held, 'room', reason);
      return;
    }
    this.#setPlan(held, encoder, admitted);
    if (admitted.length === costs.rungs.length) return;
    held.cause = 'room';
    held.reason = reason;
  }

  #setPlan(
    held: Held,
    { encoder, device }: { readonly encoder: LadderPlan['encoder']; readonly device: string },
    rungs: readonly LadderRung[],
  ): void {
    held.encoder = encoder;
    this.#logged.delete(placeText(held.place));
    held.state = 'decided';
    held.cause = '';
    held.reason = '';
    held.atMs = this.#context.clock.elapsedMs();
    const { preset, when, hasAudioOnly } = held.rule;
    held.plan = {
      ...held.place,
      encoder,
      preset,
      device,
      isOnDemand: when === 'watched',
      hasAudioOnly,
      rungs: rungs.map(({ lines, kbps }) => ({ lines, kbps })),
    };
  }

  #refuse(held: Held, cause: Exclude<LadderRow['cause'], ''>, reason: string): void {
    held.state = 'refused';
    held.cause = cause;
    held.reason = reason;
    held.plan = undefined;
    held.atMs = this.#context.clock.elapsedMs();
    const key = placeText(held.place);
    if (this.#logged.get(key) === cause) return;
    this.#logged.set(key, cause);
    this.#context.log.warn({ stream: streamLabel(held.place), reason }, 'no lower qualities');
  }

  /** Checks a running ladder for overload, and repeats an old refusal. */
  #reviewDecision(held: Held): void {
    if (held.state === 'measuring') return;
    const status = this.#statuses.get(placeText(held.place));
    const ageMs = this.#context.clock.elapsedMs() - held.atMs;
    held.behind = status?.isBehind ? held.behind + 1 : 0;
    if (held.plan && !held.rule.isForced && held.behind >= mostBehind && ageMs > settleMs)
      this.#leaveOut(held, held.plan);
    // An empty form makes the next review decide again.
    else if (held.cause !== '' && ageMs > againMs[held.cause])
      this.#held.set(placeText(held.place), { ...held, form: '' });
  }

  /** Leaves out the most expensive quality. The engine changes over at a keyframe. */
  #leaveOut(held: Held, plan: LadderPlan): void {
    const made = held.rungs.filter(({ lines }) => plan.rungs.some((rung) => rung.lines === lines));
    const left = withoutDearest(made);
    const reason = 'the machine did not keep up with all qualities';
    held.behind = 0;
    if (left.length === 0) {
      this.#refuse(held, 'overload', reason);
      return;
    }
    this.#setPlan(held, plan, left);
    held.cause = 'overload';
    held.reason = reason;
    const lines = left.map((rung) => rung.lines);
    this.#context.log.warn({ stream: streamLabel(held.place), lines }, 'fewer qualities, the machine does not keep up');
  }

  async #sendPlans(): Promise<void> {
    const held = [...this.#held.values()];
    const ladders = held.flatMap(({ plan }) => plan ?? []);
    const text = JSON.stringify(ladders);
    if (text === this.#sent) return;
    // After a restart of this server, the engine's ladders continue until all decisions are made.
    if (this.#sent === undefined && held.some(({ state }) => state === 'measuring')) return;
    await this.#context.mediaServer.applySettings({ ladders });
    this.#sent = text;
  }
}

/** Video format of a stream, on which costs depend. */
export function sourceOf({ codec, width, height }: Video): string {
  return `${codec} ${width}x${height}`;
}

function isSame(status: LadderStatus, rungs: readonly LadderRung[]): boolean {
  const made = new Set(status.rungs.map(({ lines }) => lines));
  return status.state === 'running' && made.size === rungs.length && rungs.every(({ lines }) => made.has(lines));
}

function toRow(held: Held, status: LadderStatus | undefined): LadderRow {
  const { place, rule, state, cause, encoder, costs, plan } = held;
  const made = new Map(status?.rungs.map((rung) => [rung.lines, rung]));
  return {
    ...place,
    rule: rule.id,
    encoder,
    state: state === 'decided' ? (status?.state ?? 'waiting') : state,
    cause,
    reason: held.reason || (status?.reason ?? ''),
    needPercent: costs ? needOf(costs) : 0,
    freePercent: held.freePercent,
    rungs: held.rungs.map(({ lines, kbps, percent }) => ({
      lines,
      kbps,
      percent,
      name: made.get(lines)?.name ?? '',
      isMade: plan?.rungs.some((rung) => rung.lines === lines) ?? false,
      madeKbps: made.get(lines)?.kbps ?? 0,
    })),
  };
}
