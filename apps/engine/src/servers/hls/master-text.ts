import { codecString, MalformedMedia } from '@weir/media';
import type { HlsStream } from '../../packagers/hls/hls-stream.ts';
import { masterPlaylist } from '../../packagers/hls/playlist.ts';
import { subtitleMark } from '../../packagers/hls/subtitles/hls-subtitles.ts';
import { llMark, mediaMark, withContext } from './hls-request.ts';

interface Form {
  readonly isLow: boolean;
  readonly query: string;
  /** Of the session it is for. Without one it is of nobody in particular, and what it names has to be named otherwise than itself. */
  readonly id?: string;
}

/** What a stream has to offer: its video, and the languages in which it can be read. */
export function masterText(stream: HlsStream, { isLow, query, id }: Form): string {
  const { video, audio, place, subtitles } = stream.source;
  const name = `${encodeURIComponent(place.name.toWellFormed())}${isLow ? llMark : ''}`;
  const tail = id === undefined ? query : withContext(query, id);
  const address = (mark: string) => `${name}${mark}.m3u8${tail === '' ? '' : `?${tail}`}`;
  return masterPlaylist({
    uri: address(id === undefined ? mediaMark : ''),
    bandwidth: stream.packager.bitsPerSecond || 2_000_000,
    // Only where the tracks are sure: a player believes this and would never look for another one.
    codecs: isLow ? codecsOf([video, audio]) : '',
    width: video?.width ?? 0,
    height: video?.height ?? 0,
    subtitles: subtitles.tracks.map((track) => ({ track, uri: address(`${subtitleMark}${track.language}`) })),
  });
}

function codecsOf(configs: readonly (Parameters<typeof codecString>[0] | undefined)[]): string {
  try {
    return configs.flatMap((config) => (config ? [codecString(config)] : [])).join(',');
  } catch (error) {
    if (error instanceof MalformedMedia) return '';
    throw error;
  }
}
