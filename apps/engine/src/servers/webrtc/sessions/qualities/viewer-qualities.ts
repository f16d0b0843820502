import type { RtpPackager } from '../../../../packagers/rtp/rtp-packager.ts';
import type { MirroredStream } from '../../../../workers/worker/mirrored-streams.ts';
import type { Rung } from './quality-choice.ts';

interface Options {
  readonly view: MirroredStream;
  readonly packagerOf: (view: MirroredStream) => RtpPackager;
  /** Quality that the viewer asked for; empty for the best, undefined if the line decides. */
  readonly pinned?: string | undefined;
}

/** Qualities of a stream that one viewer can get. */
export class ViewerQualities {
  readonly pinned: string | undefined;
  readonly #view: MirroredStream;
  readonly #packagerOf: (view: MirroredStream) => RtpPackager;

  constructor({ view, packagerOf, pinned }: Options) {
    this.#view = view;
    this.#packagerOf = packagerOf;
    this.pinned = pinned;
  }

  /** Names, best first. The name of the stream itself is empty. */
  get names(): readonly string[] {
    if (this.#view.lower.size === 0) return [''];
    const lower = [...this.#view.lower].toSorted(([, a], [, b]) => pixelsOf(b) - pixelsOf(a));
    return ['', ...lower.map(([name]) => name)];
  }

  rungs(names: readonly string[]): readonly Rung[] {
    return names.map((name) => {
      const { videoKbps: kbps = 0, groupBytes = 0 } = (name === '' ? this.#view : this.#view.lower.get(name)) ?? {};
      return { kbps, groupBytes };
    });
  }

  /** Undefined for a quality that is gone. */
  packagerOf(name: string): RtpPackager | undefined {
    const stream = this.#view.lower.get(name);
    return stream && this.#packagerOf(stream);
  }
}

function pixelsOf({ video }: MirroredStream): number {
  return video?.kind === 'video' ? video.width * video.height : 0;
}
