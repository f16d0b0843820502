import { type Demuxed, mostTracks } from '../../frame.ts';
import { readFlvTracks } from './flv-body.ts';
import { FlvBodyReader } from './flv-body-reader.ts';
import { type FlvKind, flvKind } from './flv-codec.ts';

/**
 * The messages of one publisher by Enhanced RTMP, which may send several video and audio tracks. Each track is read as a stream of its own,
 * in the canonical form; the default track is 0, with what a publisher of one track sends.
 */
export class FlvTracksReader {
  readonly #onItem: (item: Demuxed, track: number) => void;
  readonly #main = new FlvBodyReader();
  /** Readers of further tracks, by kind and id. */
  readonly #others = {
    [flvKind.video]: new Map<number, FlvBodyReader>(),
    [flvKind.audio]: new Map<number, FlvBodyReader>(),
  };

  constructor(onItem: (item: Demuxed, track: number) => void) {
    this.#onItem = onItem;
  }

  read(kind: FlvKind, timestampMs: number, body: Buffer): void {
    const parts = readFlvTracks(kind, timestampMs, body);
    if (!parts) {
      for (const item of this.#main.read(kind, timestampMs, body)) this.#onItem(item, 0);
      return;
    }
    for (const { track, item } of parts) {
      for (const read of this.#readerOf(kind, track)?.accept(item) ?? []) this.#onItem(read, track);
    }
  }

  /** Undefined for a track that is one too many; ids have 8 bits. */
  #readerOf(kind: FlvKind, track: number): FlvBodyReader | undefined {
    if (track === 0 || kind === flvKind.script) return this.#main;
    const others = this.#others[kind];
    const known = others.get(track);
    if (known || others.size >= mostTracks - 1) return known;
    const reader = new FlvBodyReader();
    others.set(track, reader);
    return reader;
  }
}
