import { MalformedMessage, MessageFields, type WirePlace } from '@weir/streams';
import { decodePlace } from './place.ts';

/** The last keyframe of a stream. */
interface EngineKeyframe {
  /** MP4 with that one frame, in base64; empty for a stream without video so far. */
  readonly movie: string;
}

/** A keyframe of 8K video has a few megabytes. */
const longestMovie = 15 * 1024 * 1024;
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

export function decodeKeyframe(data: unknown): EngineKeyframe {
  return { movie: decodeMovie(data) };
}

export function decodeMovie(data: unknown): string {
  const movie = new MessageFields(data).text('movie', { most: longestMovie });
  if (movie.length % 4 !== 0 || !base64.test(movie)) throw new MalformedMessage('movie', 'must be in base64');
  return movie;
}

/** A stream, or one input of its program: `slate` is what its slate shows. */
export function decodeKeyframeOf(body: unknown): WirePlace & { readonly input: string } {
  return { ...decodePlace(body), input: new MessageFields(body).text('input', { most: 64, fallback: '' }) };
}
