import type { MediaFrame, TrackConfig } from '@weir/media';
import type { StreamPlace } from '@weir/streams';
import { type Decision, decide, type Fault, ReturnPace, type SwitchReason, slateId } from './decide.ts';
import { inputPlace } from './input-place.ts';
import { armedMs, isNextBetter, ProgramClock } from './program-clock.ts';
import type { InputEvents, InputFacts, ProgramInput } from './program-input.ts';
import { ProgramInputs } from './program-inputs.ts';
import { ProgramOutput } from './program-output.ts';
import type { Armed, ProgramContext, ProgramSettings, ProgramSwitch } from './program-settings.ts';
import type { SlateLoop } from './slate/slate-loop.ts';
import { plainArt, usualVideo } from './slate/slates.ts';

/** Longest wait, after the keyframe of the new input, for pictures of the old one up to the same time. */
const holdMs = 400;

/**
 * Stream from several inputs on one clock. Publishes while there is anything to send, switches automatically, and fills tracks that the
 * current input lacks.
 */
export class Program implements InputEvents {
  readonly #context: ProgramContext;
  readonly #output: ProgramOutput;
  readonly #clock = new ProgramClock();
  #settings: ProgramSettings;
  readonly #inputs: ProgramInputs;
  #onAir = '';
  #onAirSinceMs = 0;
  #armed: Armed | undefined;
  /** True after the clock of the input on air was joined again, until its next keyframe is cut in. */
  #isBroken = false;
  #isHeld = false;
  #automaticAtMs = Number.NEGATIVE_INFINITY;
  #pace = new ReturnPace();
  #isClosed = false;
  readonly switches: ProgramSwitch[] = [];

  constructor(settings: ProgramSettings, context: ProgramContext) {
    this.#settings = settings;
    this.#context = context;
    this.#inputs = new ProgramInputs(this, context);
    const kick = (reason: string) => this.#kickInput(this.#onAir, reason);
    const onAir = () => this.#inputs.publisherOf(this.#onAir);
    this.#output = new ProgramOutput(settings.place, { kick, onAir }, context);
    this.#setInputs();
  }

  get place(): StreamPlace {
    return this.#settings.place;
  }

  get settings(): ProgramSettings {
    return this.#settings;
  }

  get onAir(): string {
    return this.#onAir;
  }

  get onAirSinceMs(): number {
    return this.#onAirSinceMs;
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  get armed(): string {
    return this.#armed?.id ?? '';
  }

  get isOnAir(): boolean {
    return this.#output.isOpen;
  }

  get inputs(): readonly ProgramInput[] {
    return this.#inputs.all;
  }

  facts(): InputFacts[] {
    const nowMs = this.#context.nowMs();
    return this.inputs.map((input) => {
      const fit = this.#output.fitOf(input);
      return { ...input.view(nowMs, fit), fit };
    });
  }

  update(settings: ProgramSettings): void {
    this.#settings = settings;
    this.#setInputs();
    this.look();
  }

  /** Switches by hand: to an input at its next keyframe, to the slate at once; an empty id makes it automatic again. Returns the reason of a refusal. */
  switchTo(id: string): string | undefined {
    const nowMs = this.#context.nowMs();
    if (id === '') {
      this.#isHeld = false;
      return undefined;
    }
    if (!this.isOnAir) return 'the program is not on air';
    if (id === slateId) {
      if (!this.#settings.slate) return 'this program has no slate';
      if (this.#onAir !== slateId) this.#toSlate('manual', nowMs);
      this.#isHeld = true;
      return undefined;
    }
    const input = this.#inputs.find(id);
    if (!input) return 'there is no such input';
    if (id !== this.#onAir) {
      if (input.view(nowMs, this.#output.fitOf(input)).state !== 'good') return 'this input has nothing to show now';
      this.#arm(input, 'manual', nowMs);
    }
    this.#isHeld = true;
    return undefined;
  }

  setFault(id: string, fault: '' | Fault): boolean {
    const input = this.#inputs.find(id);
    if (!input) return false;
    input.fault = fault;
    return true;
  }

  /** Drops the frames of an input for some time, as a rehearsal. */
  rehearse(id: string, ms: number): boolean {
    const input = this.#inputs.find(id);
    if (!input) return false;
    input.cutOffUntilMs = this.#context.nowMs() + ms;
    return true;
  }

  /**
   * To be called every few milliseconds. True when an input seems to have fallen silent and this is the first look: timers run before
   * sockets, so after a pause of our own process its frames are read only now.
   */
  look(isSecond = false): boolean {
    if (this.#isClosed) return false;
    const nowMs = this.#context.nowMs();
    this.#pollArmed(nowMs);
    const { returnMs, leastMs, slate } = this.#settings;
    const decision = decide(
      {
        inputs: this.inputs.map((input) => input.view(nowMs, this.#output.fitOf(input))),
        onAir: this.#onAir,
        onAirMs: nowMs - this.#onAirSinceMs,
        armed: this.armed,
        isHeld: this.#isHeld,
        sinceAutomaticMs: nowMs - this.#automaticAtMs,
      },
      { returnMs, leastMs: this.#pace.leastMs(leastMs), slate },
    );
    if (decision.do === 'cut' && decision.reason === 'silent' && !isSecond) return true;
    this.#apply(decision, nowMs);
    this.#setStandby();
    if (this.#onAir === slateId) this.#output.showSlate(this.#clock.at(nowMs), nowMs);
    return false;
  }

  /** Content of the slate; undefined without one. */
  slate(): SlateLoop | undefined {
    return this.#settings.slate && this.#output.slate(this.inputs.find(({ video }) => video)?.video ?? usualVideo);
  }

  /** Name of the stream of an input. */
  placeOf(id: string): StreamPlace | undefined {
    const input = this.#settings.inputs.find((one) => one.id === id);
    return input && (input.from ?? inputPlace(this.place, id));
  }

  /** Ends a removed program. Publishers of its inputs are disconnected and return as ordinary ones. */
  dissolve(): void {
    const own = this.#settings.inputs.filter(({ from }) => from === undefined);
    this.close();
    for (const { id } of own) this.#kickInput(id);
  }

  close(): void {
    this.#isClosed = true;
    this.#end();
    this.#inputs.close();
  }

  onConfig(input: ProgramInput, config: TrackConfig): void {
    this.#conform();
    if (this.#settings.slate) this.#output.prepareSlate(config);
    if (input.id !== this.#onAir || this.#isBroken || this.#output.fitOf(input) === 'unfit') return;
    this.#output.sendConfigs(input);
  }

  onFrame(input: ProgramInput, frame: MediaFrame): void {
    const nowMs = this.#context.nowMs();
    if (input.id === this.#onAir) this.#onAirFrame(input, frame, nowMs);
    else if (this.#armed?.id === input.id) this.#onArmedFrame(input, frame, nowMs);
    else if (this.#onAir === '' && frame.isKeyframe) this.look();
  }

  onSeam(input: ProgramInput): void {
    if (this.#armed?.id === input.id) this.#armed = undefined;
    if (input.id !== this.#onAir) return;
    this.#keepClock(input);
    this.#isBroken = true;
  }

  onLeave(input: ProgramInput): void {
    if (this.#armed?.id === input.id) this.#armed = undefined;
    if (input.id !== this.#onAir) return;
    this.#keepClock(input);
    this.look();
  }

  #conform(): void {
    this.#inputs.conform(this.#onAir, this.#output.reference);
  }

  #setInputs(): void {
    this.#output.art = { ...plainArt, ...this.#settings.slate };
    const gone = this.#inputs.set(this.#settings);
    for (const input of this.inputs) for (const config of input.tracks) this.#output.prepareSlate(config);
    for (const input of gone) {
      if (input.id === this.#onAir) this.#keepClock(input);
      input.detach();
      this.#kickInput(input.id);
    }
    this.#conform();
  }

  #apply(decision: Decision, nowMs: number): void {
    if (decision.do === 'stay') return;
    if (decision.do === 'end') {
      this.#end();
      return;
    }
    const { to, reason } = decision;
    if (to === slateId) {
      this.#toSlate(reason, nowMs);
      return;
    }
    const input = this.#inputs.find(to);
    if (!input) return;
    if (decision.do === 'arm') this.#arm(input, reason, nowMs);
    else this.#cutFromCache(input, reason, nowMs);
  }

  #arm(input: ProgramInput, reason: SwitchReason, nowMs: number): void {
    if (input.hasVideo) this.#armed = { id: input.id, reason, sinceMs: nowMs };
    else this.#cut(input, [], this.#offsetFor(input, nowMs), reason, nowMs);
  }

  #pollArmed(nowMs: number): void {
    const armed = this.#armed;
    if (!armed) return;
    if (armed.cut) {
      if (nowMs >= armed.cut.untilMs || this.#onAir === slateId) this.#cutArmed(nowMs);
      return;
    }
    if (nowMs - armed.sinceMs < armedMs) return;
    this.#armed = undefined;
    const input = this.#inputs.find(armed.id);
    if (input && input.view(nowMs, this.#output.fitOf(input)).state === 'good') {
      this.#cutFromCache(input, armed.reason, nowMs);
    }
  }

  #onAirFrame(input: ProgramInput, frame: MediaFrame, nowMs: number): void {
    if (this.#isBroken) {
      const isEntry = input.hasVideo ? frame.kind === 'video' && frame.isKeyframe : true;
      if (!isEntry || this.#output.fitOf(input) === 'unfit') return;
      this.#rejoin(input, frame, nowMs);
      return;
    }
    const cut = this.#armed?.cut;
    if (cut && frame.kind === 'video' && frame.dtsMs + this.#output.splice.offsetMs >= cut.atMs) {
      this.#cutArmed(nowMs);
      return;
    }
    this.#output.pass(input, frame, nowMs);
    if (cut && this.#output.splice.lastVideoMs + input.intervalMs >= cut.atMs - 1) this.#cutArmed(nowMs);
  }

  /** Continues the input on air after a break of its own clock. */
  #rejoin(input: ProgramInput, frame: MediaFrame, nowMs: number): void {
    this.#isBroken = false;
    this.#output.rejoin(input, frame, this.#offsetFor(input, nowMs), nowMs);
  }

  #onArmedFrame(input: ProgramInput, frame: MediaFrame, nowMs: number): void {
    const armed = this.#armed;
    if (!armed || frame.kind !== 'video') return;
    if (armed.cut) {
      armed.cut.pictures.push(frame);
      return;
    }
    if (!frame.isKeyframe) return;
    const offsetMs = this.#offsetFor(input, nowMs);
    const atMs = frame.dtsMs + offsetMs;
    const lateMs = this.#clock.at(nowMs) - atMs;
    const movedMs = this.#output.splice.lastVideoMs - atMs;
    const isSettled = input.isSettled(nowMs);
    if (isNextBetter({ lateMs, movedMs, waitedMs: nowMs - armed.sinceMs, isSettled })) return;
    armed.cut = { offsetMs, atMs, untilMs: nowMs + holdMs, pictures: [frame] };
    const current = this.#inputs.find(this.#onAir);
    if (!current || this.#output.splice.lastVideoMs + current.intervalMs >= atMs - 1) this.#cutArmed(nowMs);
  }

  #cutArmed(nowMs: number): void {
    const armed = this.#armed;
    const input = armed && this.#inputs.find(armed.id);
    this.#armed = undefined;
    if (input && armed.cut) this.#cut(input, armed.cut.pictures, armed.cut.offsetMs, armed.reason, nowMs);
  }

  #cutFromCache(input: ProgramInput, reason: SwitchReason, nowMs: number): void {
    const pictures = input.hasVideo ? input.group() : [];
    if (input.hasVideo && !pictures[0]?.isKeyframe) {
      // Too long a group to be sent at once: its next keyframe, with the slate meanwhile.
      if (this.#armed?.id !== input.id) this.#arm(input, reason, nowMs);
      if (this.#settings.slate && this.isOnAir && this.#onAir !== slateId) this.#toSlate(reason, nowMs, true);
      return;
    }
    this.#cut(input, pictures, this.#offsetFor(input, nowMs), reason, nowMs);
  }

  #cut(
    input: ProgramInput,
    pictures: readonly MediaFrame[],
    offsetMs: number,
    reason: SwitchReason,
    nowMs: number,
  ): void {
    const gapMs = this.#output.cut(input, pictures, offsetMs, nowMs);
    if (gapMs === undefined) return;
    this.#armed = undefined;
    this.#isBroken = false;
    this.#note(input.id, reason, gapMs, nowMs);
  }

  #toSlate(reason: SwitchReason, nowMs: number, isWaiting = false): void {
    const current = this.#inputs.find(this.#onAir);
    if (current) this.#keepClock(current);
    if (!isWaiting) this.#armed = undefined;
    this.#isBroken = false;
    const gapMs = this.#output.cutToSlate(current, this.#clock.at(nowMs), nowMs);
    this.#note(slateId, reason, gapMs, nowMs);
    this.#output.showSlate(this.#clock.at(nowMs), nowMs);
  }

  /** Stores the present offset of the input on air, so that a clock that is a little fast or slow makes no jump at the next switch. */
  #keepClock(input: ProgramInput): void {
    const nowMs = this.#context.nowMs();
    if (!this.#isBroken && input.isSettled(nowMs)) this.#clock.keep(this.#output.splice.offsetMs, input);
  }

  #offsetFor(input: ProgramInput, nowMs: number): number {
    if (!this.#output.splice.hasBegun) this.#clock.begin(nowMs);
    const current = this.#inputs.find(this.#onAir);
    if (current && current !== input) this.#keepClock(current);
    return this.#clock.offsetFor(input, nowMs);
  }

  #kickInput(id: string, reason = 'ended by the administrator'): void {
    this.#context.hub.find(inputPlace(this.place, id))?.publisher?.kick(reason);
  }

  /** Receives the other inputs at lower cost while none of them is about to replace the input on air. */
  #setStandby(): void {
    this.#inputs.setStandby(this.#armed || this.#isBroken ? '' : this.#onAir);
  }

  #end(): void {
    const nowMs = this.#context.nowMs();
    this.#output.end();
    this.#armed = undefined;
    this.#isHeld = false;
    this.#isBroken = false;
    this.#pace = new ReturnPace();
    if (this.#onAir === '') return;
    this.#onAir = '';
    this.#onAirSinceMs = nowMs;
    this.#conform();
  }

  #note(to: string, reason: SwitchReason, gapMs: number, nowMs: number): void {
    const from = this.#onAir;
    this.#pace.note(reason, nowMs - this.#onAirSinceMs);
    if (reason !== 'manual') {
      this.#automaticAtMs = nowMs;
      this.#isHeld = false;
    }
    this.#onAir = to;
    this.#onAirSinceMs = nowMs;
    const change: ProgramSwitch = { from, to, reason, atMs: Date.now(), gapMs: Math.round(gapMs) };
    this.#conform();
    this.#setStandby();
    this.switches.push(change);
    if (this.switches.length > 50) this.switches.shift();
    this.#context.onSwitch(this.place, change);
  }
}
