import { type StreamPlace, streamKey } from '@weir/dialect';
import type { NameState } from '../../../hub/hub.ts';

/** Which names there are, as the engine last told. */
export class KnownNames {
  readonly #names = new Map<string, NameState>();

  take(names: readonly (readonly [key: string, NameState])[]): void {
    for (const [key, state] of names) {
      if (state === 'gone') this.#names.delete(key);
      else this.#names.set(key, state);
    }
  }

  find(place: StreamPlace): { readonly isLive: boolean } | undefined {
    const state = this.#names.get(streamKey(place));
    return state && { isLive: state === 'live' };
  }
}
