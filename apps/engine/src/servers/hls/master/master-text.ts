import { announcedTracks, codecString, MalformedMedia, type MediaFrame } from '@weir/media';
import { isAudioRendition, type OfferedAudio, renditionMark } from '../../../packagers/hls/hls-renditions.ts';
import type { HlsSource, HlsStream } from '../../../packagers/hls/hls-stream.ts';
import { subtitleMark } from '../../../packagers/hls/hls-subtitles.ts';
import type { HlsVariant } from '../../../packagers/hls/hls-variant.ts';
import type { PartStore } from '../../../packagers/hls/low-latency/part-store.ts';
import { llMark, mediaMark, withContext } from '../hls-request.ts';
import { type MasterRendition, type MasterVariant, masterPlaylist } from './master-playlist.ts';

interface Bitrates {
  /** Bitrate of the largest segment, in bit/s. */
  readonly peak: number;
  readonly average: number;
}

/** Shorter spans consist mostly of a keyframe and would overstate the bitrate. */
const reliableMs = 1000;
const leastMs = 200;
/** Packaging overhead, and the usual excess of the largest segment over the average. */
const packaging = 1.06;
const fullest = 1.2;
/** Values before the first frame. */
const unknown: Bitrates = { peak: 2_000_000, average: 0 };
const mostKbps = 1_000_000;

/** Bitrates of a stream without a finished segment: measured in the growing one, or announced by the encoder while that is too short. */
export function expectedBitrates(
  metadata: HlsSource['metadata'],
  { bytes, durationMs }: HlsVariant['growing'],
): Bitrates {
  const measured = durationMs >= leastMs ? (8000 * bytes) / durationMs : 0;
  const announced = announcedKbps(metadata) * 1000 * packaging;
  const average = durationMs < reliableMs && announced > 0 ? announced : measured;
  return average > 0 ? { average, peak: average * fullest } : unknown;
}

/** Frame rate measured since the last keyframe; 0 while the span is too short. */
function measuredFps(cached: readonly MediaFrame[]): number {
  const pictures = cached.filter(({ kind }) => kind === 'video');
  const spanMs = spanOf(pictures);
  return spanMs >= reliableMs ? (1000 * (pictures.length - 1)) / spanMs : 0;
}

/** Sum of the bitrates that RTMP encoders announce in their metadata. */
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
  /** Playback id in the request. */
  readonly playback?: string | undefined;
  /** The only rendition that is wanted. */
  readonly rendition?: string;
  /** The quality of the stream itself is the only one that is wanted. */
  readonly isMedia?: true;
}

/** Master playlist of a stream: its variants, subtitle languages and alternative audio. */
export function masterText(stream: HlsStream, { isLow, query, id, playback, rendition, isMedia }: Form): string {
  const { subtitles } = stream.source;
  const isWhole = rendition === undefined && !isMedia;
  const audio = isWhole ? stream.renditions.offeredAudio(stream.source) : [];
  const all = stream.offered({ isLow, isAlone: audio.length > 0 });
  const wanted = isWhole ? all : all.filter((variant) => variant.rendition === rendition);
  // A quality that pauses has nothing to show.
  const offered = wanted.length > 0 ? wanted : all.slice(0, 1);
  const tail = id === undefined ? query : withContext(query, id);
  const address = (mark: string, name?: string) =>
    `${nameOf(stream, { isLow, playback, rendition: name })}${mark}.m3u8${tail === '' ? '' : `?${tail}`}`;
  return masterPlaylist({
    isIndependent: offered.every(({ isIndependent }) => isIndependent),
    variants: offered.map((variant) => ({
      uri: address(id === undefined && variant.rendition === undefined ? mediaMark : '', variant.rendition),
      ...describeVariant(variant, audio, { source: stream.source, isLow }),
    })),
    renditions: [
      ...audio.map((one, index) => audioRendition(one, index, address('', one.rendition))),
      ...subtitles.tracks.map((track) => ({
        ...track,
        type: 'SUBTITLES' as const,
        uri: address(`${subtitleMark}${track.language}`),
      })),
    ],
  });
}

/** The first one is the stream's own. */
function audioRendition({ audio, facts }: OfferedAudio, index: number, uri: string): MasterRendition {
  const { language, name } = facts;
  const { channels } = audio;
  return { type: 'AUDIO', language, name: name || `Audio ${index + 1}`, isDefault: index === 0, uri, channels };
}

interface Named {
  readonly isLow: boolean;
  readonly playback?: string | undefined;
  readonly rendition: string | undefined;
}

function nameOf({ source }: HlsStream, { isLow, playback, rendition }: Named): string {
  const name = playback ?? encodeURIComponent(source.place.name.toWellFormed());
  return `${name}${rendition === undefined ? '' : renditionMark + rendition}${isLow ? llMark : ''}`;
}

/** Tells in a low-latency playlist how far another rendition is, at its address without a session. */
export function renditionReport(
  stream: HlsStream,
  { rendition, parts }: { readonly rendition: string | undefined; readonly parts: PartStore },
): string {
  const uri = `${nameOf(stream, { isLow: true, rendition })}${rendition === undefined ? mediaMark : ''}.m3u8`;
  const { sequence, part } = parts.newest;
  return `#EXT-X-RENDITION-REPORT:URI="${uri}",LAST-MSN=${sequence},LAST-PART=${part}\n`;
}

type Offered = ReturnType<HlsStream['offered']>[number];

/** With whichever of these audio tracks is played, or with the audio in it where there are none. */
function describeVariant(
  variant: Offered,
  alternatives: readonly OfferedAudio[],
  { source, isLow }: { readonly source: HlsSource; readonly isLow: boolean },
): Omit<MasterVariant, 'uri'> {
  const { video, audio, rates, growing, hasPlaylist } = variant;
  const { peak, average } = rates.peak > 0 ? rates : expectedBitrates(source.metadata, growing);
  const isAudioOnly = variant.rendition !== undefined && isAudioRendition(variant.rendition);
  const loudest = Math.max(0, ...alternatives.map((alternative) => alternative.peak));
  return {
    bandwidth: isAudioOnly ? Math.max(peak, loudest) : peak + loudest,
    averageBandwidth: average,
    codecs:
      isLow || areTracksSure(source, hasPlaylist)
        ? codecsOf([video, audio, ...alternatives.map((other) => other.audio)])
        : '',
    width: video?.width ?? 0,
    height: video?.height ?? 0,
    fps: video ? video.fps || measuredFps(variant.cached()) : 0,
  };
}

/** False while another track may still appear: players never look for tracks that the playlist did not name. */
function areTracksSure({ video, audio, metadata }: HlsSource, hasPlaylist: boolean): boolean {
  const announced = announcedTracks(metadata);
  if ((announced.video && !video) || (announced.audio && !audio)) return false;
  return (video !== undefined && audio !== undefined) || hasPlaylist;
}

function codecsOf(configs: readonly (Parameters<typeof codecString>[0] | undefined)[]): string {
  try {
    return [...new Set(configs.flatMap((config) => (config ? [codecString(config)] : [])))].join(',');
  } catch (error) {
    if (error instanceof MalformedMedia) return '';
    throw error;
  }
}
