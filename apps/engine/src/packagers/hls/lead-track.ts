import type { MediaFrame, TrackConfig } from '@weir/media';
import type { Packager } from '../../hub/packager.ts';
import type { FrameSource } from '../../hub/stream.ts';

/** Track that a rendition is made of. */
export interface RenditionTrack extends FrameSource {
  /** True while nothing arrives. */
  readonly isPaused: boolean;
}

/** The video or the audio of the stream itself, for players that get each from an address of its own. */
export class LeadTrack implements RenditionTrack {
  readonly isPaused = false;
  readonly #source: FrameSource;
  readonly #kind: TrackConfig['kind'];
  readonly #filters = new Map<Packager, Packager>();

  constructor(source: FrameSource, kind: TrackConfig['kind']) {
    this.#source = source;
    this.#kind = kind;
  }

  cached(): readonly MediaFrame[] {
    return this.#source.cached().filter(({ kind }) => kind === this.#kind);
  }

  attach(packager: Packager): void {
    const filter: Packager = {
      onConfig: (config) => config.kind === this.#kind && packager.onConfig(config),
      onFrame: (frame) => frame.kind === this.#kind && packager.onFrame(frame),
      onDiscontinuity: () => packager.onDiscontinuity(),
      close: () => packager.close(),
    };
    this.#filters.set(packager, filter);
    this.#source.attach(filter);
  }

  detach(packager: Packager): void {
    const filter = this.#filters.get(packager);
    if (!filter) return;
    this.#filters.delete(packager);
    this.#source.detach(filter);
  }
}
