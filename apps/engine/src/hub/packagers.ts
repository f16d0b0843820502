import type { MediaFrame, TrackConfig } from '@weir/media';
import type { Packager } from './packager.ts';

/**
 * Readers of a stream. A publisher controls every byte of it, so each of them may fail in an unforeseen way: the
 * failure costs that packager one step and affects no other.
 */
export class Packagers {
  #list: readonly Packager[] = [];
  readonly #onFault: (error: unknown) => void;

  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault;
  }

  get size(): number {
    return this.#list.length;
  }

  /** Passes the known configs first. */
  add(packager: Packager, configs: readonly (TrackConfig | undefined)[]): void {
    for (const config of configs) if (config) this.#sendConfig(packager, config);
    this.#list = [...this.#list, packager];
  }

  remove(packager: Packager): void {
    this.#list = this.#list.filter((other) => other !== packager);
  }

  config(config: TrackConfig): void {
    for (const packager of this.#list) this.#sendConfig(packager, config);
  }

  missing(kind: TrackConfig['kind']): void {
    this.#each((packager) => packager.onTrackMissing?.(kind));
  }

  frame(frame: MediaFrame): void {
    for (const packager of this.#list) {
      try {
        packager.onFrame(frame);
      } catch (error) {
        this.#onFault(error);
      }
    }
  }

  discontinuity(): void {
    this.#each((packager) => packager.onDiscontinuity());
  }

  leave(): void {
    this.#each((packager) => packager.onLeave?.());
  }

  /** Removes all packagers. */
  close(): void {
    const closing = this.#list;
    this.#list = [];
    this.#each((packager) => packager.close(), closing);
  }

  #sendConfig(packager: Packager, config: TrackConfig): void {
    try {
      packager.onConfig(config);
    } catch (error) {
      this.#onFault(error);
    }
  }

  #each(act: (packager: Packager) => void, packagers = this.#list): void {
    for (const packager of packagers) {
      try {
        act(packager);
      } catch (error) {
        this.#onFault(error);
      }
    }
  }
}
