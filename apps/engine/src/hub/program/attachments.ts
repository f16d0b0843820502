import type { StreamPlace } from '@weir/streams';
import type { ProgramInput } from './program-input.ts';
import type { ProgramContext } from './program-settings.ts';

/** Keeps inputs attached to streams that come and go: now, or when there is one of the name. */
export class Attachments {
  readonly #context: Pick<ProgramContext, 'hub' | 'sourceOf'>;
  readonly #expected = new Map<string, () => void>();
  #isClosed = false;

  constructor(context: Pick<ProgramContext, 'hub' | 'sourceOf'>) {
    this.#context = context;
  }

  add(input: ProgramInput, place: StreamPlace): void {
    const { hub, sourceOf } = this.#context;
    this.remove(input.id);
    if (this.#isClosed) return;
    const attach = () => {
      const source = sourceOf(place);
      if (source) input.attach(source);
    };
    if (hub.find(place)) attach();
    else this.#expected.set(input.id, hub.expect(place, attach));
  }

  remove(id: string): void {
    this.#expected.get(id)?.();
    this.#expected.delete(id);
  }

  close(): void {
    this.#isClosed = true;
    for (const stop of this.#expected.values()) stop();
    this.#expected.clear();
  }
}
