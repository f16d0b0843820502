import type { AudioConfig, MediaFrame, TrackConfig, VideoConfig } from '@weir/media';
import type { Packager } from './packager.ts';
import type { StreamPlace } from './stream-key.ts';

/**
 * What a packager and its server may see of a stream. (The class behind it, its timeline and its cache are the hub's.)
 */
export interface StreamView {
  readonly key: string;
  readonly place: StreamPlace;
  readonly video: VideoConfig | undefined;
  readonly audio: AudioConfig | undefined;
  /** True while somebody publishes. */
  readonly isLive: boolean;
  /** Frames since the last keyframe, oldest first; for a packager that starts in the middle. */
  cached(): readonly MediaFrame[];
  /** Feeds a packager: first the configs there are, then every frame from now on. The cache is the packager's to read. */
  attach(packager: Packager): void;
  detach(packager: Packager): void;
}

export type { TrackConfig };
