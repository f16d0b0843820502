import type { StreamPlace } from '@weir/streams';
import type { ClientEntry } from '../clients/clients.ts';
import { ConformedSource } from './conformed-source.ts';
import { inputPlace, isInputPlace } from './input-place.ts';
import { type InputEvents, type InputSource, ProgramInput, type Tracks } from './program-input.ts';
import type { ProgramContext, ProgramSettings } from './program-settings.ts';

type Context = Pick<ProgramContext, 'hub' | 'sourceOf' | 'nowMs' | 'conversions'>;

/** The inputs of a program. Each is attached to the stream of its name whenever that exists. */
export class ProgramInputs {
  readonly #context: Context;
  readonly #events: InputEvents;
  readonly #expected = new Map<string, () => void>();
  readonly #conformed = new Map<string, ConformedSource>();
  #all: ProgramInput[] = [];
  #isConforming = false;
  /** Tracks that other inputs are conformed to: those of the first input, or of the first one on air. */
  #form: Tracks = {};
  #isClosed = false;

  constructor(events: InputEvents, context: Context) {
    this.#events = events;
    this.#context = context;
  }

  /** All inputs in the order of preference. */
  get all(): readonly ProgramInput[] {
    return this.#all;
  }

  find(id: string): ProgramInput | undefined {
    return this.#all.find((input) => input.id === id);
  }

  /** Publisher of an input; if it is another program, the publisher of the input that is on air there. */
  publisherOf(id: string): ClientEntry | undefined {
    const place = this.find(id)?.source?.place;
    const publisher = place && this.#context.hub.find(place)?.publisher;
    return publisher?.onAir ? publisher.onAir() : publisher;
  }

  /** Sets the inputs. Known ids keep their input. Returns the removed inputs, which are still attached. */
  set({ place, inputs, failMs, isConforming }: ProgramSettings): ProgramInput[] {
    const isOther = isConforming !== this.#isConforming;
    this.#isConforming = isConforming;
    const before = new Map(this.#all.map((input) => [input.id, input]));
    this.#all = inputs.map(({ id, from, failMs: own = failMs }) => {
      const known = before.get(id);
      before.delete(id);
      if (known) known.failMs = own;
      return known ?? this.#open(id, from ?? inputPlace(place, id), own);
    });
    for (const id of before.keys()) this.#remove(id);
    if (isOther) this.#attachAnew();
    return [...before.values()];
  }

  /**
   * Inputs off air get the form of the first one. If that came later and has other codecs than what is on air, it conforms like the others.
   * One on air goes on as it is until something else is.
   */
  conform(onAir: string, reference: Tracks): void {
    if (!this.#isConforming) return;
    const first = this.#all[0]?.source ?? {};
    const isOn = reference.video !== undefined || reference.audio !== undefined;
    const form = this.#form.video || this.#form.audio ? this.#form : reference;
    if (!isOn) this.#form = tracksOf(first);
    else this.#form = isSameCodec(first, form) ? { ...form, ...tracksOf(first) } : form;
    for (const { id } of this.#all) if (id !== onAir) this.#conformed.get(id)?.conform(this.#form);
  }

  /** Receives inputs off air at lower cost while one is on air. Inputs that are other streams are left out: they have viewers. */
  setStandby(onAir: string): void {
    const hasOne = this.find(onAir) !== undefined;
    for (const input of this.#all) {
      const place = input.source?.place;
      const publisher = place && isInputPlace(place) ? this.#context.hub.find(place)?.publisher : undefined;
      input.setStandby(publisher, hasOne && input.id !== onAir);
    }
  }

  #attachAnew(): void {
    this.#conformed.clear();
    for (const input of this.#all) {
      const source = input.source && this.#context.sourceOf(input.source.place);
      if (source) input.attach(this.#shaped(input.id, source));
    }
  }

  #shaped(id: string, source: InputSource): InputSource {
    if (!this.#isConforming) return source;
    const conformed = new ConformedSource(source, this.#context.conversions(source.place));
    this.#conformed.set(id, conformed);
    conformed.conform(this.#form);
    return conformed;
  }

  #open(id: string, place: StreamPlace, failMs: number): ProgramInput {
    const { nowMs } = this.#context;
    const onGone = () => this.find(id) === input && this.#add(input, place);
    const input = new ProgramInput({ id, failMs, nowMs, events: this.#events, onGone });
    this.#add(input, place);
    return input;
  }

  #add(input: ProgramInput, place: StreamPlace): void {
    const { hub, sourceOf } = this.#context;
    this.#remove(input.id);
    if (this.#isClosed) return;
    const attach = () => {
      const source = sourceOf(place);
      if (source) input.attach(this.#shaped(input.id, source));
    };
    if (hub.find(place)) attach();
    else this.#expected.set(input.id, hub.expect(place, attach));
  }

  #remove(id: string): void {
    this.#expected.get(id)?.();
    this.#expected.delete(id);
    this.#conformed.delete(id);
  }

  close(): void {
    this.#isClosed = true;
    for (const stop of this.#expected.values()) stop();
    this.#expected.clear();
    for (const input of this.#all) input.detach();
    this.#all = [];
  }
}

function tracksOf({ video, audio }: Tracks): Tracks {
  return { ...(video && { video }), ...(audio && { audio }) };
}

function isSameCodec(one: Tracks, other: Tracks): boolean {
  const isEqual = (kind: keyof Tracks) => !one[kind] || !other[kind] || one[kind].codec === other[kind].codec;
  return isEqual('video') && isEqual('audio');
}
