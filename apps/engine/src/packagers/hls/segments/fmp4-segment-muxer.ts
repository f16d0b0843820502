import { type AudioConfig, Fmp4Muxer, type MediaFrame, type TrackConfig, type VideoConfig } from '@weir/media';
import { leadBytes } from '../../../http/prepared.ts';
import { memoryCost } from '../../../hub/own-memory.ts';
import { isTooLateToJoin, type SegmentMuxer } from './segment-muxer.ts';

/** Fragmented MP4: holds frames until they are taken, because fragments begin with the sizes of their samples. */
export class Fmp4SegmentMuxer implements SegmentMuxer {
  #video: VideoConfig | undefined;
  #audio: AudioConfig | undefined;
  #muxer: Fmp4Muxer | undefined;
  #frames: MediaFrame[] = [];
  #bytes = 0;
  #hasTaken = false;

  get bytes(): number {
    return this.#bytes;
  }

  /** Once the init section was requested, players know the tracks. */
  get mayJoin(): boolean {
    const newest = this.#frames.at(-1);
    return !this.#muxer && !this.#hasTaken && (!newest || !isTooLateToJoin(this.#frames[0], newest));
  }

  setConfig(config: TrackConfig): void {
    if (config.kind === 'video') this.#video = config;
    else this.#audio = config;
    this.#muxer = undefined;
  }

  removeTrack(kind: TrackConfig['kind']): void {
    if (kind === 'video') this.#video = undefined;
    else this.#audio = undefined;
    this.#muxer = undefined;
  }

  takes({ kind, codec, payload }: MediaFrame): boolean {
    return (kind === 'video' ? this.#video : this.#audio)?.codec === codec && payload.length > 0;
  }

  begin(): void {
    this.#drop();
  }

  append(frame: MediaFrame): void {
    this.#frames.push(frame);
    this.#bytes += memoryCost(frame);
  }

  init(): Buffer {
    return this.#prepared().initSegment();
  }

  take(next: MediaFrame | undefined): Buffer {
    const frames = this.#frames;
    this.#drop();
    this.#hasTaken = true;
    const following = next && (next.kind === 'video' ? { videoDtsMs: next.dtsMs } : { audioDtsMs: next.dtsMs });
    return this.#prepared().fragments(frames, following, leadBytes);
  }

  drop(): void {
    if (this.#frames.length > 0) this.#hasTaken = true;
    this.#drop();
  }

  /** Decoders begin anew, and so does the clock of the samples. */
  restart(): void {
    this.#muxer = undefined;
  }

  #prepared(): Fmp4Muxer {
    this.#muxer ??= new Fmp4Muxer({ video: this.#video, audio: this.#audio });
    return this.#muxer;
  }

  #drop(): void {
    this.#frames = [];
    this.#bytes = 0;
  }
}
