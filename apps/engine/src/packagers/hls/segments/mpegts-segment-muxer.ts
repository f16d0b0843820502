import { type MediaFrame, MpegTsMuxer, PacketBuffer, type TrackConfig } from '@weir/media';
import { leadBytes } from '../../../http/prepared.ts';
import { memoryCost } from '../../../hub/own-memory.ts';
import { isTooLateToJoin, type SegmentMuxer } from './segment-muxer.ts';

const firstExpectedBytes = 64 * 1024;
const mostEarlyBytes = 8 * 1024 * 1024;

export class MpegTsSegmentMuxer implements SegmentMuxer {
  readonly #muxer = new MpegTsMuxer();
  readonly #kinds = new Set<TrackConfig['kind']>();
  #packets = new PacketBuffer();
  #isOpen = false;
  /** Frames of the first segment, while another track may still join it. */
  #early: MediaFrame[] | undefined = [];
  #earlyBytes = 0;
  /** Segments of a stream have similar sizes: the next one gets memory by the size of the last. */
  #expectedBytes = firstExpectedBytes;

  get bytes(): number {
    return this.#packets.length;
  }

  get mayJoin(): boolean {
    return this.#early !== undefined;
  }

  setConfig(config: TrackConfig): void {
    const early = this.#kinds.has(config.kind) ? undefined : this.#early;
    this.#kinds.add(config.kind);
    this.#muxer.setConfig(config);
    if (this.#isOpen && early) this.#writeAgain(early);
  }

  removeTrack(kind: TrackConfig['kind']): void {
    this.#kinds.delete(kind);
    this.#muxer.removeTrack(kind);
  }

  takes(frame: MediaFrame): boolean {
    return this.#muxer.takes(frame);
  }

  begin(): void {
    this.#isOpen = true;
    this.#packets = new PacketBuffer(this.#expectedBytes, leadBytes);
    this.#muxer.appendTables(this.#packets);
  }

  append(frame: MediaFrame): void {
    this.#muxer.append(frame, this.#packets);
    this.#rememberEarly(frame);
  }

  init(): undefined {
    return undefined;
  }

  take(): Buffer {
    const roomy = this.#packets.finishWithLead();
    const size = roomy.length - leadBytes;
    this.#expectedBytes = size + (size >> 4);
    this.drop();
    return roomy;
  }

  drop(): void {
    this.#isOpen = false;
    if (this.#early?.length) this.#early = undefined;
    this.#packets = new PacketBuffer();
  }

  restart(): void {
    // Continuity counters go on across discontinuities.
  }

  #rememberEarly(frame: MediaFrame): void {
    if (!this.#early) return;
    this.#earlyBytes += memoryCost(frame);
    const isLate = this.#kinds.size > 1 || isTooLateToJoin(this.#early[0], frame);
    if (isLate || this.#earlyBytes > mostEarlyBytes) this.#early = undefined;
    else this.#early.push(frame);
  }

  /** Repeats the segment with tables that name the track that joined: cutting it would lose frames until the next keyframe. */
  #writeAgain(frames: readonly MediaFrame[]): void {
    this.#early = undefined;
    this.begin();
    for (const frame of frames) this.#muxer.append(frame, this.#packets);
  }
}
