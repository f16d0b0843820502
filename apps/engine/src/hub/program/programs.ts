import type { InputChoice, ProgramPlan } from '@weir/engine-api';
import type { Log } from '@weir/plane';
import { type StreamPlace, streamKey, type WirePlace } from '@weir/streams';
import type { ClientInfo } from '../clients/client-info.ts';
import type { Hub } from '../hub.ts';
import type { FrameSource, Stream } from '../stream.ts';
import { GapWatch, type HlsEnds } from './gap-watch.ts';
import { Program } from './program.ts';
import type { InputSource } from './program-input.ts';
import type { ProgramContext, ProgramSettings, ProgramSwitch } from './program-settings.ts';

/** Interval of the checks: a lost input is noticed at most this much after its time of silence. */
const pollMs = 25;
/** Time for which a rehearsal is measured. Later switches belong to the return. */
const mostWatchedMs = 60_000;

interface Options {
  readonly hub: Hub;
  readonly slates: ProgramContext['slates'];
  readonly log: Log;
  readonly viewOf: (stream: Stream) => InputSource;
  readonly conversions: ProgramContext['conversions'];
  /** Frames of a stream as the protocols without a view in `viewOf` send them. */
  readonly browserViewOf: (stream: Stream) => FrameSource;
  readonly hlsEndsOf: (place: StreamPlace) => HlsEnds;
  readonly onBegan: (info: ClientInfo) => void;
  readonly onEnded: (info: ClientInfo) => void;
  readonly onSwitch: (place: StreamPlace, change: ProgramSwitch) => void;
}

interface Kept {
  readonly program: Program;
  /** The last rehearsal. */
  watch?: GapWatch;
  /** True if the owner configured it. Other programs exist while they have a publisher or show their slate. */
  isLasting: boolean;
}

/** All programs, driven by one timer. */
export class Programs {
  readonly #options: Options;
  readonly #programs = new Map<string, Kept>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  has(place: StreamPlace): boolean {
    return this.#programs.has(streamKey(place));
  }

  find(place: StreamPlace): Program | undefined {
    return this.#programs.get(streamKey(place))?.program;
  }

  all(): Program[] {
    return [...this.#programs.values()].map(({ program }) => program);
  }

  /** Treats an input as lost for some time, and measures the gaps in what viewers get. */
  rehearse(place: StreamPlace, input: string, forMs: number): boolean {
    const kept = this.#programs.get(streamKey(place));
    const { hub, viewOf, browserViewOf, hlsEndsOf } = this.#options;
    const stream = hub.find(place);
    if (!kept || !stream || !kept.program.rehearse(input, forMs)) return false;
    kept.watch?.close();
    const watch = new GapWatch({
      classic: viewOf(stream),
      webrtc: browserViewOf(stream),
      hlsEnds: () => hlsEndsOf(place),
      nowMs: () => performance.now(),
    });
    kept.watch = watch;
    setTimeout(() => watch.close(), Math.min(forMs, mostWatchedMs)).unref();
    return true;
  }

  /** Gaps of the last rehearsal. */
  gapsOf(place: StreamPlace): GapWatch['gaps'] {
    return this.#programs.get(streamKey(place))?.watch?.gaps ?? [];
  }

  /** Sets the owner's programs. Programs that are missing from the list end, unless they are not the owner's. */
  set(all: readonly ProgramPlan[]): void {
    const keys = new Set(all.map((plan) => streamKey(placeOf(plan))));
    for (const [key, { program, isLasting, watch }] of this.#programs) {
      if (!isLasting || keys.has(key)) continue;
      this.#programs.delete(key);
      watch?.close();
      program.dissolve();
    }
    for (const plan of all) this.#keep(plan);
    this.#arm();
  }

  /** A publisher was accepted as an input. Its program may be new: settings come later than encoders after a restart. */
  accept({ program }: InputChoice): void {
    this.#keep(program);
    this.#arm();
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { program, watch } of this.#programs.values()) {
      watch?.close();
      program.close();
    }
    this.#programs.clear();
  }

  #keep(plan: ProgramPlan): void {
    const settings = settingsOf(plan);
    const { isLasting } = plan;
    const key = streamKey(settings.place);
    const known = this.#programs.get(key);
    if (known) {
      known.isLasting ||= isLasting;
      known.program.update(settings);
      return;
    }
    const { hub, slates, log, viewOf, conversions, onBegan, onEnded, onSwitch } = this.#options;
    const program = new Program(settings, {
      hub,
      slates,
      log,
      nowMs: () => performance.now(),
      sourceOf: (place) => {
        const stream = hub.find(place);
        return stream && viewOf(stream);
      },
      conversions,
      onBegan,
      onEnded,
      onSwitch,
    });
    this.#programs.set(key, { program, isLasting });
  }

  #arm(): void {
    if (this.#programs.size > 0) this.#timer ??= setInterval(() => this.#poll(), pollMs).unref();
  }

  #poll(): void {
    const doubtful: Program[] = [];
    for (const [key, { program, isLasting, watch }] of this.#programs) {
      watch?.look();
      if (program.look()) doubtful.push(program);
      if (isLasting || program.isOnAir || program.inputs.some(({ source }) => source)) continue;
      this.#programs.delete(key);
      watch?.close();
      program.close();
    }
    // Sockets are read between two of these.
    if (doubtful.length > 0) {
      setImmediate(() => setImmediate(() => doubtful.forEach((program) => void program.look(true))));
    }
    if (this.#programs.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

function placeOf({ vhost, app, stream }: WirePlace): StreamPlace {
  return { vhost, app, name: stream };
}

function settingsOf({
  inputs,
  failMs,
  returnMs,
  leastMs,
  slate,
  isConforming,
  ...place
}: ProgramPlan): ProgramSettings {
  return {
    place: placeOf(place),
    inputs: inputs.map(({ source, ...input }) => ({ ...input, ...(source && { from: placeOf(source) }) })),
    failMs,
    returnMs: returnMs < 0 ? undefined : returnMs,
    leastMs,
    isConforming,
    slate,
  };
}
