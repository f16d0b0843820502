import type { StreamPlace } from '@weir/streams';
import { inputPlace } from './input-place.ts';
import { type InputEvents, ProgramInput } from './program-input.ts';
import type { ProgramContext, ProgramSettings } from './program-settings.ts';

type Context = Pick<ProgramContext, 'hub' | 'sourceOf' | 'nowMs'>;

/** The inputs of a program, attached to streams that come and go: now, or when there is one of the name. */
export class ProgramInputs {
  readonly #context: Context;
  readonly #events: InputEvents;
  readonly #expected = new Map<string, () => void>();
  #all: ProgramInput[] = [];
  #isClosed = false;

  constructor(events: InputEvents, context: Context) {
    this.#events = events;
    this.#context = context;
  }

  /** In the order of preference. */
  get all(): readonly ProgramInput[] {
    return this.#all;
  }

  find(id: string): ProgramInput | undefined {
    return this.#all.find((input) => input.id === id);
  }

  /** Takes over what is known by its id. Returns the inputs that are no more, still attached. */
  set({ place, inputs, failMs }: ProgramSettings): ProgramInput[] {
    const before = new Map(this.#all.map((input) => [input.id, input]));
    this.#all = inputs.map(({ id, from }) => {
      const known = before.get(id);
      before.delete(id);
      if (known) known.failMs = failMs;
      return known ?? this.#open(id, from ?? inputPlace(place, id), failMs);
    });
    for (const id of before.keys()) this.#remove(id);
    return [...before.values()];
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
      if (source) input.attach(source);
    };
    if (hub.find(place)) attach();
    else this.#expected.set(input.id, hub.expect(place, attach));
  }

  #remove(id: string): void {
    this.#expected.get(id)?.();
    this.#expected.delete(id);
  }

  close(): void {
    this.#isClosed = true;
    for (const stop of this.#expected.values()) stop();
    this.#expected.clear();
    for (const input of this.#all) input.detach();
    this.#all = [];
  }
}
