import type { SubtitleTrack } from '@weir/dialect';

/** Variant of a master playlist; a stream has one. */
export interface Variant {
  readonly uri: string;
  /** Bitrate of the largest segment, in bit/s. */
  readonly bandwidth: number;
  /** 0 when not known. */
  readonly averageBandwidth: number;
  /** Empty when not known; players then find out from the media. */
  readonly codecs: string;
  readonly width: number;
  readonly height: number;
  /** 0 when not known. */
  readonly fps: number;
  /** Every segment begins with a keyframe. */
  readonly isIndependent: boolean;
  readonly subtitles: readonly SubtitleRendition[];
}

interface SubtitleRendition {
  readonly track: SubtitleTrack;
  readonly uri: string;
}

export function masterPlaylist(variant: Variant): string {
  const { uri, isIndependent, subtitles } = variant;
  const lines = [
    '#EXTM3U',
    ...(isIndependent ? ['#EXT-X-INDEPENDENT-SEGMENTS'] : []),
    ...subtitles.map((rendition) => subtitleLine(rendition, subtitles)),
    `#EXT-X-STREAM-INF:${attributesOf(variant).join(',')}`,
    uri,
  ];
  return `${lines.join('\n')}\n`;
}

function attributesOf({ bandwidth, averageBandwidth, codecs, width, height, fps, subtitles }: Variant): string[] {
  const attributes = [`BANDWIDTH=${Math.max(1, Math.ceil(bandwidth))}`];
  if (averageBandwidth > 0) attributes.push(`AVERAGE-BANDWIDTH=${Math.ceil(averageBandwidth)}`);
  if (codecs !== '') attributes.push(`CODECS="${codecs}"`);
  if (width > 0 && height > 0) attributes.push(`RESOLUTION=${width}x${height}`);
  if (fps > 0) attributes.push(`FRAME-RATE=${fps.toFixed(3)}`);
  if (subtitles.length > 0) attributes.push('SUBTITLES="subtitles"');
  return attributes;
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
