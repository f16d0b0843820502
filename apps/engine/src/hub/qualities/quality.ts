import type { VideoConfig } from '@weir/media';
import { SideTrack } from '../tracks/side-track.ts';

/** A lower quality of a stream's video, named by the size it began with. The audio is the stream's. */
export class Quality extends SideTrack<VideoConfig> {
  get video(): VideoConfig {
    return this.current;
  }
}
