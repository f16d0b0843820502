import {
  type AudioConfig,
  isSameDecoder,
  type MediaFrame,
  metadataOfTracks,
  silentAac,
  type TrackConfig,
  type VideoConfig,
} from '@weir/media';
import type { Log } from '@weir/plane';
import type { StreamPlace } from '@weir/streams';
import type { ClientInfo } from '../clients/client-info.ts';
import { type ClientEntry, Clients } from '../clients/clients.ts';
import { Refused } from '../clients/gate.ts';
import type { Hub } from '../hub.ts';
import { convertedAudio } from '../player-views/player-kind.ts';
import type { Publication } from '../stream.ts';
import { type Decision, type DecisionRules, decide, type InputView, type SwitchReason, slateId } from './decide.ts';
import { inputPlace } from './input-place.ts';
import { type InputEvents, type InputFit, type InputSource, ProgramInput } from './program-input.ts';
import { type SlateLoop, SlateShowing } from './slate/slate-loop.ts';
import { audioFrameMs, Splice } from './splice.ts';

/** Start of the clock: room for audio that comes before the first picture. */
const startMs = 200;
/** A planned switch waits this long for a keyframe, then it is cut from the cached group. */
const armedMs = 4000;
/** The old input stays this long after the keyframe of the new one, until its own pictures have come to the same time. */
const holdMs = 400;
/** A keyframe this much later than its input usually is would press pictures without need. */
const mostLateMs = 200;
/** An input that was taken back and is lost again within this flaps. */
const flapMs = 60_000;
const mostLeastMs = 300_000;
/** After a pause of this machine not all of it is filled. */
const mostFillMs = 10_000;

interface ProgramInputSettings {
  readonly id: string;
  /** Another stream; absent for an input with its own publisher. */
  readonly from?: StreamPlace;
}

export interface ProgramSettings {
  readonly place: StreamPlace;
  readonly inputs: readonly ProgramInputSettings[];
  /** An input is lost without a picture for this long. */
  readonly failMs: number;
  readonly returnMs: number | undefined;
  readonly leastMs: number;
  /** `mostMs` 0: without an end. */
  readonly slate: { readonly afterMs: number; readonly mostMs: number } | undefined;
}

export interface ProgramSwitch {
  readonly from: string;
  readonly to: string;
  readonly reason: SwitchReason;
  readonly atMs: number;
  /** Time without a picture that viewers without a buffer saw. */
  readonly gapMs: number;
}

interface Armed {
  readonly id: string;
  readonly reason: SwitchReason;
  readonly sinceMs: number;
  /** Set once its keyframe came: where it will be cut in. */
  cut?: { readonly offsetMs: number; readonly atMs: number; readonly untilMs: number; readonly pictures: MediaFrame[] };
}

interface Context {
  readonly hub: Hub;
  readonly log: Log;
  readonly nowMs: () => number;
  readonly slates: { prepare(video: VideoConfig): void; find(video: VideoConfig): SlateLoop | undefined };
  /** The view of a stream that inputs are taken from. */
  readonly sourceOf: (place: StreamPlace) => InputSource | undefined;
  readonly onBegan: (info: ClientInfo) => void;
  readonly onEnded: (info: ClientInfo) => void;
  readonly onSwitch: (program: Program, change: ProgramSwitch) => void;
}

/** State of one input, for whoever looks. */
export interface InputFacts extends InputView {
  readonly fit: InputFit;
}

/**
 * One stream from several inputs on one clock. It publishes its stream as long as there is anything to send, decides by itself, and fills
 * tracks that the input on air does not have.
 */
export class Program implements InputEvents {
  readonly #context: Context;
  #settings: ProgramSettings;
  #inputs: ProgramInput[] = [];
  readonly #expected = new Map<string, () => void>();
  #splice = new Splice();
  #publication: Publication | undefined;
  #entry: ClientEntry | undefined;
  #onAir = '';
  #onAirSinceMs = 0;
  #armed: Armed | undefined;
  /** The clock of the input on air was joined anew: its next keyframe is cut in. */
  #isBroken = false;
  #isHeld = false;
  #automaticAtMs = Number.NEGATIVE_INFINITY;
  #leastFactor = 1;
  #lastReason: SwitchReason = 'start';
  /** The program's clock is our own clock and this. */
  #clockMs = 0;
  #firstClockMs: number | undefined;
  #showing: SlateShowing | undefined;
  /** Tracks of the last input on air, which others must fit to. */
  #reference: { video?: VideoConfig; audio?: AudioConfig } = {};
  #sent: { video?: VideoConfig; audio?: AudioConfig } = {};
  #pictureSentAtMs = 0;
  #isClosed = false;
  readonly switches: ProgramSwitch[] = [];

  constructor(settings: ProgramSettings, context: Context) {
    this.#settings = settings;
    this.#context = context;
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
    return this.#publication !== undefined;
  }

  get inputs(): readonly ProgramInput[] {
    return this.#inputs;
  }

  facts(): InputFacts[] {
    const nowMs = this.#context.nowMs();
    return this.#inputs.map((input) => {
      const fit = this.#fitOf(input);
      return { ...input.view(nowMs, fit), fit };
    });
  }

  update(settings: ProgramSettings): void {
    this.#settings = settings;
    this.#setInputs();
    this.look();
  }

  /** By hand: to an input at its next keyframe, to the slate at once. Empty: automatic again. Returns why not. */
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
    const input = this.#find(id);
    if (!input) return 'there is no such input';
    if (id !== this.#onAir) {
      if (input.view(nowMs, this.#fitOf(input)).state !== 'good') return 'this input has nothing to show now';
      this.#arm(input, 'manual', nowMs);
    }
    this.#isHeld = true;
    return undefined;
  }

  /** Takes the frames of an input for lost for some time. */
  rehearse(id: string, ms: number): boolean {
    const input = this.#find(id);
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
    this.#lookAtArmed(nowMs);
    const decision = decide(
      {
        inputs: this.#inputs.map((input) => input.view(nowMs, this.#fitOf(input))),
        onAir: this.#onAir,
        onAirMs: nowMs - this.#onAirSinceMs,
        armed: this.armed,
        isHeld: this.#isHeld,
        sinceAutomaticMs: nowMs - this.#automaticAtMs,
      },
      this.#rules(),
    );
    if (decision.do === 'cut' && decision.reason === 'silent' && !isSecond) return true;
    this.#apply(decision, nowMs);
    if (this.#onAir === slateId) this.#showSlate(nowMs);
    return false;
  }

  /** The owner removed it: whoever publishes to its inputs returns as an ordinary publisher. */
  dissolve(): void {
    const own = this.#settings.inputs.filter(({ from }) => from === undefined);
    this.close();
    for (const { id } of own) this.#kickInput(id);
  }

  close(): void {
    this.#isClosed = true;
    this.#end();
    for (const stop of this.#expected.values()) stop();
    for (const input of this.#inputs) input.detach();
    this.#inputs = [];
  }

  onConfig(input: ProgramInput, config: TrackConfig): void {
    if (config.kind === 'video' && this.#settings.slate) this.#context.slates.prepare(config);
    if (input.id !== this.#onAir || this.#isBroken || this.#fitOf(input) === 'unfit') return;
    this.#sendConfigs(input);
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

  #rules(): DecisionRules {
    const { returnMs, leastMs, slate } = this.#settings;
    return { returnMs, leastMs: Math.min(mostLeastMs, leastMs * this.#leastFactor), slate };
  }

  #find(id: string): ProgramInput | undefined {
    return this.#inputs.find((input) => input.id === id);
  }

  #setInputs(): void {
    const { inputs, failMs } = this.#settings;
    const before = new Map(this.#inputs.map((input) => [input.id, input]));
    this.#inputs = inputs.map(({ id, from }) => {
      const known = before.get(id);
      const place = from ?? inputPlace(this.place, id);
      before.delete(id);
      if (known) {
        known.failMs = failMs;
        return known;
      }
      const { nowMs } = this.#context;
      const input = new ProgramInput({ id, failMs, nowMs, events: this, onGone: () => this.#expect(input, place) });
      this.#expect(input, place);
      return input;
    });
    for (const [id, input] of before) {
      this.#expected.get(id)?.();
      this.#expected.delete(id);
      if (id === this.#onAir) this.#keepClock(input);
      input.detach();
      this.#kickInput(id);
    }
  }

  /** Attaches to a stream of this name, now or when there is one. */
  #expect(input: ProgramInput, place: StreamPlace): void {
    const { hub, sourceOf } = this.#context;
    const attach = () => {
      const source = this.#isClosed ? undefined : sourceOf(place);
      if (source) input.attach(source);
    };
    this.#expected.get(input.id)?.();
    if (hub.find(place)) attach();
    else if (!this.#isClosed) this.#expected.set(input.id, hub.expect(place, attach));
  }

  #fitOf({ video, audio }: ProgramInput): InputFit {
    const reference = this.#reference;
    if (!reference.video && !reference.audio) return 'unknown';
    if (video && reference.video && video.codec !== reference.video.codec) return 'unfit';
    if (audio && reference.audio && audio.codec !== reference.audio.codec) return 'unfit';
    if (!video && reference.video && !this.#context.slates.find(reference.video)) return 'unfit';
    if (!audio && reference.audio && !silenceOf(reference.audio)) return 'unfit';
    const isSame = (one: TrackConfig | undefined, other: TrackConfig | undefined) =>
      !one || !other || isSameDecoder(one, other);
    return isSame(video, reference.video) && isSame(audio, reference.audio) ? 'same' : 'changes';
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
    const input = this.#find(to);
    if (!input) return;
    if (decision.do === 'arm') this.#arm(input, reason, nowMs);
    else this.#cutFromCache(input, reason, nowMs);
  }

  #arm(input: ProgramInput, reason: SwitchReason, nowMs: number): void {
    if (input.hasVideo) this.#armed = { id: input.id, reason, sinceMs: nowMs };
    else this.#cut(input, [], this.#offsetFor(input, nowMs), reason, nowMs);
  }

  #lookAtArmed(nowMs: number): void {
    const armed = this.#armed;
    if (!armed) return;
    if (armed.cut) {
      if (nowMs >= armed.cut.untilMs || this.#onAir === slateId) this.#cutArmed(nowMs);
      return;
    }
    if (nowMs - armed.sinceMs < armedMs) return;
    this.#armed = undefined;
    const input = this.#find(armed.id);
    if (input && input.view(nowMs, this.#fitOf(input)).state === 'good') {
      this.#cutFromCache(input, armed.reason, nowMs);
    }
  }

  #onAirFrame(input: ProgramInput, frame: MediaFrame, nowMs: number): void {
    if (this.#isBroken) {
      const isEntry = input.hasVideo ? frame.kind === 'video' && frame.isKeyframe : true;
      if (!isEntry || this.#fitOf(input) === 'unfit') return;
      this.#rejoin(input, frame, nowMs);
      return;
    }
    const cut = this.#armed?.cut;
    if (cut && frame.kind === 'video' && frame.dtsMs + this.#splice.offsetMs >= cut.atMs) {
      this.#cutArmed(nowMs);
      return;
    }
    this.#pass(input, frame, nowMs);
    if (cut && this.#splice.lastVideoMs + input.intervalMs >= cut.atMs - 1) this.#cutArmed(nowMs);
  }

  /** The input on air goes on after a break of its own clock. */
  #rejoin(input: ProgramInput, frame: MediaFrame, nowMs: number): void {
    this.#isBroken = false;
    this.#splice.cut({
      keyframe: frame.kind === 'video' ? frame : undefined,
      offsetMs: this.#offsetFor(input, nowMs),
      intervalMs: input.intervalMs,
    });
    this.#sendConfigs(input);
    this.#pass(input, frame, nowMs);
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
    if (atMs < nowMs + this.#clockMs - mostLateMs && nowMs - armed.sinceMs < armedMs) return;
    armed.cut = { offsetMs, atMs, untilMs: nowMs + holdMs, pictures: [frame] };
    const current = this.#find(this.#onAir);
    if (!current || this.#splice.lastVideoMs + current.intervalMs >= atMs - 1) this.#cutArmed(nowMs);
  }

  #cutArmed(nowMs: number): void {
    const armed = this.#armed;
    const input = armed && this.#find(armed.id);
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
    if (!this.#publication && !this.#publish(input)) return;
    this.#armed = undefined;
    this.#showing = undefined;
    this.#isBroken = false;
    const [keyframe] = pictures;
    this.#splice.cut({ keyframe, offsetMs, intervalMs: input.intervalMs });
    if (!keyframe) this.#splice.beginAudio((input.recentAudio[0]?.dtsMs ?? 0) + offsetMs);
    const isChanged = this.#sendConfigs(input);
    const placed = [
      ...pictures.map((frame) => this.#splice.video(frame)),
      ...input.recentAudio.map((frame) => this.#splice.audio(frame, input.audioFrameMs)),
    ].filter((frame) => frame !== undefined);
    const [first] = placed;
    placed.sort((a, b) => a.dtsMs - b.dtsMs);
    // Packagers that begin anew drop what comes before the keyframe.
    const inOrder = isChanged && first && keyframe ? [first, ...placed.filter((frame) => frame !== first)] : placed;
    const gapMs = this.#pictureSentAtMs === 0 ? 0 : nowMs - this.#pictureSentAtMs;
    for (const frame of inOrder) this.#send(frame, nowMs);
    this.#fill(input, nowMs);
    this.#note(input.id, reason, gapMs, nowMs);
  }

  #toSlate(reason: SwitchReason, nowMs: number, isWaiting = false): void {
    const current = this.#find(this.#onAir);
    if (current) this.#keepClock(current);
    if (!isWaiting) this.#armed = undefined;
    this.#isBroken = false;
    const { video } = this.#reference;
    const loop = video && this.#context.slates.find(video);
    if (loop) {
      const intervalMs = current?.intervalMs ?? loop.intervalMs;
      const fromMs = Math.max(this.#splice.lastVideoMs, this.#splice.highestPtsMs) + intervalMs;
      this.#showing = new SlateShowing(loop, Math.max(fromMs, nowMs + this.#clockMs - mostFillMs));
      this.#sendConfig(loop.video);
    } else {
      this.#showing = undefined;
    }
    const gapMs = nowMs - this.#pictureSentAtMs;
    this.#note(slateId, reason, gapMs, nowMs);
    this.#showSlate(nowMs);
  }

  #showSlate(nowMs: number): void {
    const untilMs = nowMs + this.#clockMs;
    const showing = this.#showing;
    if (showing && untilMs - this.#splice.lastVideoMs > 2 * mostFillMs) {
      this.#showing = new SlateShowing(showing.loop, untilMs);
    }
    for (let next = this.#showing?.next(untilMs); next; next = this.#showing?.next(untilMs)) {
      this.#splice.filledVideo(next);
      this.#send(next, nowMs);
      this.#fillAudio(next.dtsMs, nowMs);
    }
    if (!this.#showing) this.#fillAudio(untilMs, nowMs);
  }

  #pass(input: ProgramInput, frame: MediaFrame, nowMs: number): void {
    const placed = frame.kind === 'video' ? this.#splice.video(frame) : this.#splice.audio(frame, input.audioFrameMs);
    if (!placed) return;
    this.#send(placed, nowMs);
    this.#fill(input, nowMs);
  }

  /** Tracks that the program has and this input has not. */
  #fill(input: ProgramInput, nowMs: number): void {
    if (!input.audio) this.#fillAudio(this.#splice.lastVideoMs, nowMs);
    if (input.video || !this.#sent.video) return;
    const loop = this.#reference.video && this.#context.slates.find(this.#reference.video);
    if (!loop) return;
    if (!this.#showing) {
      const fromMs = Math.max(this.#splice.lastVideoMs, this.#splice.highestPtsMs) + loop.intervalMs;
      this.#showing = new SlateShowing(loop, Math.max(fromMs, this.#splice.audioEndMs - mostFillMs));
      this.#sendConfig(loop.video);
    }
    for (let next = this.#showing.next(this.#splice.audioEndMs); next; ) {
      this.#splice.filledVideo(next);
      this.#send(next, nowMs);
      next = this.#showing.next(this.#splice.audioEndMs);
    }
  }

  #fillAudio(untilMs: number, nowMs: number): void {
    const audio = this.#sent.audio;
    const payload = audio && silenceOf(audio);
    if (!audio || !payload || untilMs === Number.NEGATIVE_INFINITY) return;
    const lengthMs = audioFrameMs(audio);
    this.#splice.beginAudio(untilMs);
    while (this.#splice.audioEndMs + lengthMs <= untilMs) {
      const dtsMs = this.#splice.filledAudio(lengthMs);
      this.#send({ kind: 'audio', codec: audio.codec, dtsMs, ptsMs: dtsMs, isKeyframe: true, payload }, nowMs);
    }
  }

  /** True if pictures must be decoded in another way from here on. */
  #sendConfigs(input: ProgramInput): boolean {
    const { video, audio } = input;
    this.#reference = {
      ...this.#reference,
      ...(video && { video }),
      ...(audio && { audio }),
    };
    const isChanged = video ? this.#sendConfig(video) : false;
    const promised = audio ?? this.#sent.audio ?? convertedAudio.classic;
    this.#sendConfig(promised);
    return isChanged;
  }

  #sendConfig(config: TrackConfig): boolean {
    const before = this.#sent[config.kind];
    if (before && isSameDecoder(before, config)) return false;
    this.#sent = { ...this.#sent, [config.kind]: config };
    this.#publication?.config(config);
    return true;
  }

  #send(frame: MediaFrame, nowMs: number): void {
    if (frame.kind === 'video') this.#pictureSentAtMs = nowMs;
    if (this.#entry) this.#entry.counters.bytesIn += frame.payload.length;
    this.#publication?.frame(frame);
  }

  /** Where the input on air has its own clock now: a clock that is a little fast or slow makes no jump at the next switch. */
  #keepClock(input: ProgramInput): void {
    const { edgeMs } = input;
    const nowMs = this.#context.nowMs();
    if (this.#isBroken || edgeMs === undefined || !input.isSettled(nowMs)) return;
    const clockMs = this.#splice.offsetMs + edgeMs;
    this.#firstClockMs ??= clockMs;
    // Back towards its first value, so that many switches do not lead it away.
    const awayMs = this.#firstClockMs - clockMs;
    this.#clockMs = clockMs + Math.max(-input.intervalMs, Math.min(input.intervalMs, awayMs));
  }

  #offsetFor(input: ProgramInput, nowMs: number): number {
    if (!this.#splice.hasBegun) this.#clockMs = startMs - nowMs;
    const current = this.#find(this.#onAir);
    if (current && current !== input) this.#keepClock(current);
    return this.#clockMs - (input.edgeMs ?? (input.recentAudio.at(-1)?.dtsMs ?? 0) - nowMs);
  }

  #publish(input: ProgramInput): boolean {
    const { hub, log, onBegan } = this.#context;
    const stream = hub.open(this.place);
    if (!stream) return false;
    const info: ClientInfo = {
      id: Clients.newId(),
      kind: 'program-publish',
      address: '127.0.0.1',
      place: this.place,
      param: '',
      tcUrl: '',
      pageUrl: '',
      connectedAt: new Date(),
    };
    const entry = Clients.entry(info, (reason) => this.#kick(reason));
    try {
      this.#publication = stream.publish(entry);
    } catch (error) {
      // Whoever published before there was a program stays until it leaves.
      if (error instanceof Refused) return false;
      throw error;
    }
    this.#entry = entry;
    hub.clients.add(entry);
    onBegan(info);
    log.info({ stream: `${this.place.app}/${this.place.name}`, client: info.id }, 'program on air');
    const tracks = metadataOfTracks(input.video?.codec, input.audio?.codec ?? 'aac');
    this.#publication.metadata({ ...input.source?.metadata, ...tracks });
    return true;
  }

  /** Whoever ends the program ends what is on air; the others go on. */
  #kick(reason: string): void {
    this.#kickInput(this.#onAir, reason);
  }

  #kickInput(id: string, reason = 'ended by the administrator'): void {
    this.#context.hub.find(inputPlace(this.place, id))?.publisher?.kick(reason);
  }

  #end(): void {
    const entry = this.#entry;
    const from = this.#onAir;
    const nowMs = this.#context.nowMs();
    this.#publication?.end();
    this.#publication = undefined;
    this.#entry = undefined;
    this.#splice = new Splice();
    this.#reference = {};
    this.#sent = {};
    this.#showing = undefined;
    this.#armed = undefined;
    this.#isHeld = false;
    this.#isBroken = false;
    this.#firstClockMs = undefined;
    this.#pictureSentAtMs = 0;
    this.#leastFactor = 1;
    if (from === '') return;
    this.#onAir = '';
    this.#onAirSinceMs = nowMs;
    if (!entry) return;
    this.#context.hub.clients.delete(entry.info.id);
    this.#context.onEnded(entry.info);
    this.#context.log.info({ stream: `${this.place.app}/${this.place.name}` }, 'program ended');
  }

  #note(to: string, reason: SwitchReason, gapMs: number, nowMs: number): void {
    const from = this.#onAir;
    const isFailOver = reason === 'closed' || reason === 'silent';
    if (isFailOver && this.#lastReason === 'return') {
      this.#leastFactor = nowMs - this.#onAirSinceMs < flapMs ? Math.min(64, this.#leastFactor * 2) : 1;
    }
    this.#lastReason = reason;
    if (reason !== 'manual') {
      this.#automaticAtMs = nowMs;
      this.#isHeld = false;
    }
    this.#onAir = to;
    this.#onAirSinceMs = nowMs;
    const change: ProgramSwitch = { from, to, reason, atMs: Date.now(), gapMs: Math.round(gapMs) };
    this.switches.push(change);
    if (this.switches.length > 50) this.switches.shift();
    this.#context.onSwitch(this, change);
  }
}

const silences = new Map<number, Buffer | undefined>();

function silenceOf({ codec, channels }: AudioConfig): Buffer | undefined {
  if (codec !== 'aac') return undefined;
  if (!silences.has(channels)) silences.set(channels, silentAac(channels));
  return silences.get(channels);
}
