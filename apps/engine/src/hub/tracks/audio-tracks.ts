import type { AudioConfig, MediaFrame } from '@weir/media';
import { type AudioFacts, unknownAudio } from './audio-facts.ts';
import { EarlyFrames } from './early-frames.ts';
import { SideTrack } from './side-track.ts';

/** Limit of tracks beside the stream's own. Common encoders send up to six. */
const mostTracks = 7;
/** Distance from the stream's time beyond which a frame belongs to another clock. */
const mostApartMs = 5000;
/** Time without frames after which a track is over: its publisher left, or stopped sending it. */
const overMs = 60_000;

/** Other audio for the same video, as the publisher sends it: another language, a commentary. */
export class AudioTrack extends SideTrack<AudioConfig> {
  facts: AudioFacts = unknownAudio;

  get audio(): AudioConfig {
    return this.current;
  }
}

/** Alternative audio as a player may choose it. */
export interface OfferedTracks {
  /** All tracks including paused ones, by number. */
  readonly all: readonly OfferedTrack[];
  /** Tracks that a viewer can choose now. */
  readonly offered: readonly OfferedTrack[];
  /** Facts of the stream's own audio. */
  readonly own: AudioFacts;
  /** Ends tracks without frames for long. Called once in a while. */
  sweep(): void;
}

type OfferedTrack = SideTrack<AudioConfig> & Pick<AudioTrack, 'audio' | 'facts'>;

/** Stream to which the tracks belong. */
interface Lead {
  /** Newest time on the clock of the stream. */
  readonly newestMs: () => number;
  /** Converts a frame to the clock of the stream. */
  readonly place: (frame: MediaFrame) => MediaFrame;
  readonly fault: (error: unknown) => void;
}

/** Alternative audio of one stream, which has its own audio besides. Nothing is allocated for a stream of one track. */
export class AudioTracks implements OfferedTracks {
  readonly #stream: Lead;
  #tracks: Map<number, AudioTrack> | undefined;
  #configs: Map<number, AudioConfig> | undefined;
  #early: EarlyFrames | undefined;
  #factsOf: (track: number) => AudioFacts = () => unknownAudio;
  #isOpen = false;

  constructor(stream: Lead) {
    this.#stream = stream;
  }

  get all(): readonly AudioTrack[] {
    if (!this.#tracks) return [];
    return [...this.#tracks].toSorted(([a], [b]) => a - b).map(([, track]) => track);
  }

  get offered(): readonly AudioTrack[] {
    return this.#tracks ? this.all.filter((track) => !track.isPaused) : [];
  }

  get own(): AudioFacts {
    return this.#factsOf(0);
  }

  /** Languages and names by the number of the track. */
  describe(factsOf: (track: number) => AudioFacts): void {
    this.#factsOf = factsOf;
    for (const [number, track] of this.#tracks ?? []) track.facts = factsOf(number);
  }

  config(track: number, config: AudioConfig): void {
    this.#configs ??= new Map();
    if (this.#configs.size >= mostTracks && !this.#configs.has(track)) return;
    this.#configs.set(track, config);
    this.#tracks?.get(track)?.config(config);
  }

  /** Adds a frame with the time that the publisher gave it. */
  frame(track: number, frame: MediaFrame): void {
    if (!this.#configs?.has(track)) return;
    if (!this.#isOpen) {
      this.#early ??= new EarlyFrames();
      this.#early.hold(track, frame);
      return;
    }
    const placed = this.#stream.place(frame);
    if (Math.abs(placed.dtsMs - this.#stream.newestMs()) > mostApartMs) return;
    this.#trackOf(track)?.frame(placed);
  }

  /** Called when the stream has begun, so that its clock is known. */
  open(): void {
    this.#isOpen = true;
    const early = this.#early?.take() ?? [];
    this.#early = undefined;
    for (const { track, frame } of early) this.frame(track, frame);
  }

  seam(): void {
    for (const track of this.#tracks?.values() ?? []) track.discontinuity();
  }

  /** Called when the publisher left. Tracks continue if the next publisher has them too. */
  leave(): void {
    this.#isOpen = false;
    this.#configs = undefined;
    this.#early = undefined;
    this.seam();
  }

  sweep(): void {
    for (const [number, track] of this.#tracks ?? []) {
      if (track.silentMs < overMs) continue;
      this.#tracks?.delete(number);
      track.close();
    }
  }

  close(): void {
    for (const track of this.#tracks?.values() ?? []) track.close();
    this.#tracks = undefined;
    this.#early = undefined;
  }

  #trackOf(number: number): AudioTrack | undefined {
    const config = this.#configs?.get(number);
    if (!config) return undefined;
    const known = this.#tracks?.get(number);
    if (known) {
      known.config(config);
      return known;
    }
    this.#tracks ??= new Map();
    this.#makeRoom(this.#tracks);
    const track = new AudioTrack(String(number), config, (error) => this.#stream.fault(error));
    track.facts = this.#factsOf(number);
    this.#tracks.set(number, track);
    return track;
  }

  /** Limits what a publisher leaves behind that returns again and again with other track numbers. */
  #makeRoom(tracks: Map<number, AudioTrack>): void {
    if (tracks.size < mostTracks) return;
    for (const [number, track] of tracks) {
      if (this.#configs?.has(number)) continue;
      tracks.delete(number);
      track.close();
      return;
    }
  }
}
