import type { AudioConfig, MediaFrame, TrackConfig, VideoConfig } from '@weir/media';
import type { Publication } from '../../hub/stream.ts';
import { FrameGate } from '../link/frame-gate.ts';
import { noteConfig, writeLayerNumber } from '../link/link-message.ts';
import type { WorkerNote } from '../link/notes.ts';

/** Link functions that a publication needs. */
export interface PublicationLink {
  readonly queuedBytes: number;
  tell(note: WorkerNote): void;
  frame(number: number, frame: MediaFrame): void;
}

/** Worker side of a published stream. Its end is reported with the client's. */
export class RemotePublication implements Omit<Publication, 'end'> {
  readonly #client: number;
  readonly #link: PublicationLink;
  readonly #gate = new FrameGate();
  readonly #audioGate = new FrameGate();
  readonly #lowerGates = new Map<number, FrameGate>();

  constructor(client: number, link: PublicationLink) {
    this.#client = client;
    this.#link = link;
  }

  config(config: TrackConfig): void {
    this.#link.tell({ type: 'config', client: this.#client, config: noteConfig(config) });
  }

  metadata(values: Readonly<Record<string, unknown>>): void {
    this.#link.tell({ type: 'metadata', client: this.#client, values });
  }

  lower(layer: number, media: VideoConfig | MediaFrame): void {
    if (!('payload' in media)) {
      this.#link.tell({ type: 'config', client: this.#client, layer, config: noteConfig(media) });
      return;
    }
    const gate = this.#lowerGates.get(layer) ?? new FrameGate();
    this.#lowerGates.set(layer, gate);
    if (gate.passes(media, this.#link.queuedBytes)) this.#link.frame(writeLayerNumber(this.#client, layer), media);
  }

  audioTrack(track: number, media: AudioConfig | MediaFrame): void {
    if (!('payload' in media))
      this.#link.tell({ type: 'config', client: this.#client, layer: track, config: noteConfig(media) });
    else if (this.#audioGate.passes(media, this.#link.queuedBytes))
      this.#link.frame(writeLayerNumber(this.#client, track), media);
  }

  lead(layer: number): void {
    this.#link.tell({ type: 'lead', client: this.#client, layer });
  }

  frame(frame: MediaFrame): void {
    if (this.#gate.passes(frame, this.#link.queuedBytes)) this.#link.frame(this.#client, frame);
  }
}
