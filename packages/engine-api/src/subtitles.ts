import {
  type Cue,
  decodeCues,
  decodeLanguage,
  decodeSubtitleTracks,
  type SubtitleTrack,
  type WirePlace,
} from '@weir/streams';
import { decodePlace } from './place.ts';

/** Subtitle tracks of one stream. */
interface StreamTracks extends WirePlace {
  readonly tracks: readonly SubtitleTrack[];
}

/** Cues of one subtitle track. */
interface StreamCues extends WirePlace {
  readonly language: string;
  readonly cues: readonly Cue[];
}

export function decodeStreamTracks(body: unknown): StreamTracks {
  return { ...decodePlace(body), tracks: decodeSubtitleTracks(body) };
}

export function decodeStreamCues(body: unknown): StreamCues {
  return { ...decodePlace(body), language: decodeLanguage(body), cues: decodeCues(body) };
}
