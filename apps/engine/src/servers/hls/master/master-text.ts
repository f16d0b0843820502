import { announcedTracks, codecString, MalformedMedia } from '@weir/media';
import type { HlsStream } from '../../../packagers/hls/hls-stream.ts';
import { subtitleMark } from '../../../packagers/hls/subtitles/hls-subtitles.ts';
import { llMark, mediaMark, withContext } from '../hls-request.ts';
import { masterPlaylist } from './master-playlist.ts';
import { type Bitrates, expectedBitrates, measuredFps } from './stream-rates.ts';

interface Form {
  readonly isLow: boolean;
  readonly query: string;
  /** Session id. Without one the text is shared, and its media playlists need addresses different from its own. */
  readonly id?: string;
}

/** Master playlist of a stream: its video and subtitle languages. */
export function masterText(stream: HlsStream, { isLow, query, id }: Form): string {
  const { video, audio, place, subtitles } = stream.source;
  const { peak, average } = bitratesOf(stream);
  const name = `${encodeURIComponent(place.name.toWellFormed())}${isLow ? llMark : ''}`;
  const tail = id === undefined ? query : withContext(query, id);
  const address = (mark: string) => `${name}${mark}.m3u8${tail === '' ? '' : `?${tail}`}`;
  return masterPlaylist({
    uri: address(id === undefined ? mediaMark : ''),
    bandwidth: peak,
    averageBandwidth: average,
    codecs: isLow || areTracksSure(stream) ? codecsOf([video, audio]) : '',
    width: video?.width ?? 0,
    height: video?.height ?? 0,
    fps: video ? video.fps || measuredFps(stream.source.cached()) : 0,
    isIndependent: stream.hasIndependentSegments(isLow),
    subtitles: subtitles.tracks.map((track) => ({ track, uri: address(`${subtitleMark}${track.language}`) })),
  });
}

function bitratesOf({ packager, source }: HlsStream): Bitrates {
  const { rates } = packager;
  if (rates.peak > 0) return rates;
  return expectedBitrates(source.metadata, packager.growing);
}

/** A player believes this and would never look for another track: a stream that just began may have one more. */
function areTracksSure({ source, packager }: HlsStream): boolean {
  const { video, audio, metadata } = source;
  const announced = announcedTracks(metadata);
  if ((announced.video && !video) || (announced.audio && !audio)) return false;
  return (video !== undefined && audio !== undefined) || packager.hasPlaylist;
}

function codecsOf(configs: readonly (Parameters<typeof codecString>[0] | undefined)[]): string {
  try {
    return configs.flatMap((config) => (config ? [codecString(config)] : [])).join(',');
  } catch (error) {
    if (error instanceof MalformedMedia) return '';
    throw error;
  }
}
