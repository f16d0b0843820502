import type Hls from 'hls.js';
import type { FragBufferedData, LevelDetails } from 'hls.js';

/** The list of qualities is read again this often at most. */
const rereadMs = 20_000;

/**
 * Changes of quality in live HLS. In low-latency HLS there is little ahead: within a segment hls.js would replace what is shown, and video
 * would stand still until the next keyframe. Between two segments nothing is replaced.
 */
export class LevelChanges {
  readonly #hls: Hls;
  readonly #url: string;
  /** Level that the viewer chose; undefined for what the connection carries. */
  #chosen: number | undefined;
  #rereadAt = Number.NEGATIVE_INFINITY;

  constructor(library: typeof Hls, hls: Hls, { video, url }: { video: HTMLVideoElement; url: string }) {
    this.#hls = hls;
    this.#url = url;
    hls.on(library.Events.FRAG_BUFFERED, (_event, data) => {
      if (this.#isSegmentOver(data)) this.#apply();
    });
    const onWaiting = () => this.#onWaiting();
    video.addEventListener('waiting', onWaiting);
    hls.on(library.Events.DESTROYING, () => video.removeEventListener('waiting', onWaiting));
  }

  choose(level: number | undefined): void {
    this.#chosen = level;
    if (!this.#parts) this.#apply();
  }

  /** Parts that are listed, in low-latency HLS. */
  get #parts(): LevelDetails['partList'] {
    return this.#hls.latestLevelDetails?.partList ?? null;
  }

  #apply(): void {
    const automatic = this.#parts ? this.#hls.nextAutoLevel : -1;
    const level = this.#chosen ?? automatic;
    if (this.#hls.levels.length > 1 && this.#hls.loadLevel !== level) this.#hls.loadLevel = level;
  }

  #isSegmentOver({ frag, part }: FragBufferedData): boolean {
    const details = this.#hls.levels[frag.level]?.details;
    if (frag.type !== 'main' || !part || !details || details.fragmentHint?.sn === frag.sn) return false;
    return !details.partList?.some((other) => other.fragment.sn === frag.sn && other.index > part.index);
  }

  /** The connection is too slow: the lower quality does not wait. */
  #onWaiting(): void {
    if (this.#parts) this.#apply();
    if (this.#hls.levels.length === 1) void this.#reread();
  }

  /** Qualities that are made on demand begin with the first viewer, whose list is from before. hls.js reads a list once. */
  async #reread(): Promise<void> {
    const now = performance.now();
    if (now - this.#rereadAt < rereadMs) return;
    this.#rereadAt = now;
    const answer = await fetch(this.#url).catch(() => undefined);
    const text = (await answer?.text().catch(() => '')) ?? '';
    const count = text.match(/^#EXT-X-STREAM-INF:.*RESOLUTION=/gm)?.length ?? 0;
    if (count > 1 && this.#hls.levels.length === 1) this.#hls.loadSource(this.#url);
  }
}
