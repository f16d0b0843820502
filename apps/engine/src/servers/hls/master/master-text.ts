import { announcedTracks, codecString, MalformedMedia, type MediaFrame } from '@weir/media';
import type { HlsPackager } from '../../../packagers/hls/hls-packager.ts';
import type { HlsSource, HlsStream } from '../../../packagers/hls/hls-stream.ts';
import { subtitleMark } from '../../../packagers/hls/subtitles/hls-subtitles.ts';
import { llMark, mediaMark, withContext } from '../hls-request.ts';
import { masterPlaylist } from './master-playlist.ts';

interface Bitrates {
  /** Bitrate of the largest segment, in bit/s. */
  readonly peak: number;
  readonly average: number;
}

/** A keyframe makes the first moment look larger than the stream is. */
const tellingMs = 1000;
const leastMs = 200;
/** Packaging overhead, and the usual excess of the largest segment over the average. */
const packaging = 1.06;
const fullest = 1.2;
/** Values before the first frame. */
const unknown: Bitrates = { peak: 2_000_000, average: 0 };
const mostKbps = 1_000_000;

/** Before there is a segment: by what there is of the first, and at its very beginning by what the encoder announces. */
export function expectedBitrates(
  metadata: HlsSource['metadata'],
  { bytes, durationMs }: HlsPackager['growing'],
): Bitrates {
  const measured = durationMs >= leastMs ? (8000 * bytes) / durationMs : 0;
  const announced = announcedKbps(metadata) * 1000 * packaging;
  const average = durationMs < tellingMs && announced > 0 ? announced : measured;
  return average > 0 ? { average, peak: average * fullest } : unknown;
}

/** Frames per second by the frames since the last keyframe; 0 while they are too few. */
function measuredFps(cached: readonly MediaFrame[]): number {
  const pictures = cached.filter(({ kind }) => kind === 'video');
  const spanMs = spanOf(pictures);
  return spanMs >= tellingMs ? (1000 * (pictures.length - 1)) / spanMs : 0;
}

/** Encoders write what they are set to into the metadata of RTMP, in kbit/s. */
function announcedKbps({ videodatarate, audiodatarate }: Readonly<Record<string, unknown>>): number {
  return kbps(videodatarate) + kbps(audiodatarate);
}

function kbps(value: unknown): number {
  return typeof value === 'number' && value > 0 && value <= mostKbps ? value : 0;
}

function spanOf(frames: readonly MediaFrame[]): number {
  const [first] = frames;
  return first ? (frames.at(-1)?.dtsMs ?? first.dtsMs) - first.dtsMs : 0;
}

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
