import type { LadderRow, LadderRule } from '@weir/contract';
import type { LadderPlan, LadderStatus } from '@weir/engine-api';
import type { Log } from '@weir/plane';
import { type LadderRung, placeText, streamLabel, type WirePlace } from '@weir/streams';
import type { Clock } from '../../core/clock.ts';
import type { LiveStream, MediaServer } from '../../media-server/media-server.ts';
import type { LiveInputs } from '../../outlets/live-inputs.ts';
import type { EncoderTests } from './encoder-tests.ts';
import { admit, needOf, roomText, ruleOf, rungsFor, withoutDearest } from './ladder-plan.ts';
import type { Machine } from './machine.ts';
import type { Costs, RungCosts } from './rung-costs.ts';

interface Context {
  readonly rules: () => Promise<readonly LadderRule[]>;
  readonly mediaServer: Pick<MediaServer, 'streams' | 'ladders' | 'applySettings'>;
  readonly inputs: Pick<LiveInputs, 'look'>;
  readonly tests: EncoderTests;
  readonly costs: RungCosts;
  readonly machine: Machine;
  readonly clock: Clock;
  readonly log: Log;
}

type Video = NonNullable<NonNullable<LiveStream['media']>['video']>;

interface HeldRung extends LadderRung {
  readonly percent: number | null;
}

/** What was decided about one stream. */
interface Held {
  readonly place: WirePlace;
  readonly clientId: string;
  /** Whatever another decision follows from. */
  readonly form: string;
  readonly rule: LadderRule;
  state: 'measuring' | 'decided' | 'refused' | 'idle';
  cause: LadderRow['cause'];
  reason: string;
  encoder: string;
  costs: Costs | undefined;
  rungs: readonly HeldRung[];
  freePercent: number;
  /** For the engine. While another is being decided the one before stays. */
  plan: LadderPlan | undefined;
  /** Time of the last decision. */
  atMs: number;
  behind: number;
}

/** Codecs that a ladder can be made of. */
const taken = ['H264', 'H265'];
const nothing = JSON.stringify([]);
/** Looks in a row at which the engine was behind. */
const behindLooks = 2;
/** The engine calls itself behind for so long after it was. */
const settleMs = 15_000;
/** A refusal for want of room is looked at again after this time, one for an overload later. */
const againMs = { room: 30_000, overload: 600_000, sample: 15_000, encoder: 60_000 } as const;

/** Decides for every live stream with a rule what the engine makes of it, and follows what the engine says. */
export class LadderRunner {
  readonly #context: Context;
  readonly #held = new Map<string, Held>();
  #statuses = new Map<string, LadderStatus>();
  #pushed: string | undefined;
  /** Refusals that the log has, by stream: they are tried again and again. */
  readonly #logged = new Map<string, string>();

  constructor(context: Context) {
    this.#context = context;
  }

  /** The engine has just started and knows nothing. */
  forget(): void {
    this.#pushed = undefined;
  }

  rows(): LadderRow[] {
    return [...this.#held.values()].map((held) => toRow(held, this.#statuses.get(placeText(held.place))));
  }

  /** What a ladder that runs takes now, in percent of a core. */
  usedBy(place: WirePlace, { decodePercent, rungs }: Costs): number {
    const key = placeText(place);
    if (this.#statuses.get(key)?.state !== 'running') return 0;
    const lines = new Set(this.#held.get(key)?.plan?.rungs.map((rung) => rung.lines));
    const made = rungs.filter((rung) => lines.has(rung.lines));
    return made.reduce((sum, { percent }) => sum + percent, made.length > 0 ? decodePercent : 0);
  }

  /** To be called again and again. */
  async look(): Promise<void> {
    const { mediaServer } = this.#context;
    const rules = (await this.#context.rules()).filter(({ enabled }) => enabled);
    if (rules.length === 0) {
      if (this.#held.size === 0 && this.#pushed === nothing) return;
      this.#held.clear();
    } else {
      const [streams, statuses] = await Promise.all([mediaServer.streams(), mediaServer.ladders()]);
      const isFirst = this.#pushed === undefined && this.#held.size === 0;
      this.#statuses = new Map(statuses.map((status) => [placeText(status), status]));
      this.#follow(streams, rules, isFirst);
    }
    await this.#push();
  }

  #follow(streams: readonly LiveStream[], rules: readonly LadderRule[], isFirst: boolean): void {
    const seen = new Set<string>();
    for (const { vhost, app, name: stream, clientId, media } of streams) {
      const place = { vhost, app, stream };
      const rule = ruleOf(rules, place);
      if (!rule) continue;
      const key = placeText(place);
      const held = this.#held.get(key);
      // The tracks of a stream are not known in its first moments.
      if (!media?.video) {
        if (held?.clientId === clientId) seen.add(key);
        continue;
      }
      seen.add(key);
      const { codec, width, height } = media.video;
      const form = JSON.stringify([rule, codec, width, height]);
      if (held?.clientId === clientId && held.form === form) this.#review(held);
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
      // This server restarted and the engine did not: nothing is interrupted to be measured.
      void this.#adopt(held, status);
    } else void this.#decide(held, sourceOf(video), taken.includes(video.codec));
  }

  async #adopt(held: Held, { encoder }: LadderStatus): Promise<void> {
    const { device } = await this.#context.tests.of(encoder);
    this.#make(held, { encoder, device }, held.rungs);
  }

  /** Never rejects: what fails is the reason that people see. */
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
      // The engine says why it makes nothing of other codecs.
      if (rule.isForced || !isTaken) {
        this.#make(held, encoder, held.rungs);
        return;
      }
      const input = (await inputs.look()).streams.find((one) => placeText(one) === placeText(place));
      if (!input) throw new Error('the stream is not there');
      const { preset } = rule;
      const encoding = { encoder: encoder.encoder, preset, device: encoder.device, rungs: held.rungs };
      // Before the measurement, which is work itself.
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
    this.#make(held, encoder, admitted);
    if (admitted.length === costs.rungs.length) return;
    held.cause = 'room';
    held.reason = reason;
  }

  #make(
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

  /** A ladder that runs, or was refused some time ago. */
  #review(held: Held): void {
    if (held.state === 'measuring') return;
    const status = this.#statuses.get(placeText(held.place));
    const ageMs = this.#context.clock.elapsedMs() - held.atMs;
    held.behind = status?.isBehind ? held.behind + 1 : 0;
    if (held.plan && !held.rule.isForced && held.behind >= behindLooks && ageMs > settleMs) this.#shed(held, held.plan);
    // Decided anew at the next look.
    else if (held.cause !== '' && ageMs > againMs[held.cause])
      this.#held.set(placeText(held.place), { ...held, form: '' });
  }

  /** A smaller ladder takes over at a keyframe. */
  #shed(held: Held, plan: LadderPlan): void {
    const made = held.rungs.filter(({ lines }) => plan.rungs.some((rung) => rung.lines === lines));
    const left = withoutDearest(made);
    const reason = 'the machine did not keep up with all qualities';
    held.behind = 0;
    if (left.length === 0) {
      this.#refuse(held, 'overload', reason);
      return;
    }
    this.#make(held, plan, left);
    held.cause = 'overload';
    held.reason = reason;
    const lines = left.map((rung) => rung.lines);
    this.#context.log.warn({ stream: streamLabel(held.place), lines }, 'fewer qualities, the machine does not keep up');
  }

  async #push(): Promise<void> {
    const held = [...this.#held.values()];
    const ladders = held.flatMap(({ plan }) => plan ?? []);
    const text = JSON.stringify(ladders);
    if (text === this.#pushed) return;
    // Qualities that the engine made for the server before continue until new ones are decided.
    if (this.#pushed === undefined && held.some(({ state }) => state === 'measuring')) return;
    await this.#context.mediaServer.applySettings({ ladders });
    this.#pushed = text;
  }
}

/** The form of a stream that costs depend on. */
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
