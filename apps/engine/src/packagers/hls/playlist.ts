import type { SubtitleTrack } from '@weir/dialect';
import type { Segment } from './segments/segment-window.ts';

export interface MediaPlaylist {
  readonly segments: readonly Segment[];
  readonly discontinuitySequence: number;
  readonly targetSeconds: number;
}

/** A live media playlist, RFC 8216. Ends with a newline. */
export function mediaPlaylist({ segments, discontinuitySequence, targetSeconds }: MediaPlaylist): string {
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:3',
    ...(areIndependent(segments) ? [independentTag] : []),
    `#EXT-X-TARGETDURATION:${targetSeconds}`,
    `#EXT-X-MEDIA-SEQUENCE:${segments[0]?.sequence ?? 0}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${discontinuitySequence}`,
  ];
  for (const segment of segments) {
    if (segment.isDiscontinuity) lines.push('#EXT-X-DISCONTINUITY');
    lines.push(
      `#EXT-X-PROGRAM-DATE-TIME:${dateTime(segment.dateMs)}`,
      `#EXTINF:${seconds(segment.durationMs)},`,
      segment.uri,
    );
  }
  return `${lines.join('\n')}\n`;
}

interface Variant {
  readonly uri: string;
  readonly bandwidth: number;
  /** Empty when not known; players then find out from the media. */
  readonly codecs: string;
  readonly width: number;
  readonly height: number;
  readonly subtitles: readonly SubtitleRendition[];
}

interface SubtitleRendition {
  readonly track: SubtitleTrack;
  readonly uri: string;
}

export function masterPlaylist({ uri, bandwidth, codecs, width, height, subtitles }: Variant): string {
  const attributes = [`BANDWIDTH=${Math.max(1, Math.round(bandwidth))}`];
  if (codecs !== '') attributes.push(`CODECS="${codecs}"`);
  if (width > 0 && height > 0) attributes.push(`RESOLUTION=${width}x${height}`);
  if (subtitles.length > 0) attributes.push('SUBTITLES="subtitles"');
  const renditions = subtitles.map((rendition) => `${subtitleLine(rendition, subtitles)}\n`).join('');
  return `#EXTM3U\n${renditions}#EXT-X-STREAM-INF:${attributes.join(',')}\n${uri}\n`;
}

/** Names in a group differ (RFC 8216, 4.3.4.1.1); where the owner gave the same one twice, the language tells them apart. */
function subtitleLine({ track, uri }: SubtitleRendition, all: readonly SubtitleRendition[]): string {
  const { language, isDefault } = track;
  const isClear = track.name !== '' && all.filter((other) => other.track.name === track.name).length === 1;
  const name = isClear ? track.name : `${track.name} (${language})`.trim();
  return (
    `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="${name}",LANGUAGE="${language}",` +
    `DEFAULT=${isDefault ? 'YES' : 'NO'},AUTOSELECT=YES,FORCED=NO,URI="${uri}"`
  );
}

/** True of the whole playlist or of nothing in it (RFC 8216, 4.3.5.1). */
export const independentTag = '#EXT-X-INDEPENDENT-SEGMENTS';

export const areIndependent = (segments: readonly Pick<Segment, 'isIndependent'>[]): boolean =>
  segments.every(({ isIndependent }) => isIndependent);

export const seconds = (durationMs: number): string => (durationMs / 1000).toFixed(3);

export const dateTime = (dateMs: number): string => new Date(dateMs).toISOString();
