/** Variant of a master playlist. */
export interface MasterVariant {
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
}

/** Track that plays along with every variant. */
export interface MasterRendition {
  readonly type: 'AUDIO' | 'SUBTITLES';
  readonly language: string;
  /** Name given by the owner; may be empty or occur twice. */
  readonly name: string;
  readonly isDefault: boolean;
  readonly uri: string;
  /** Number of audio channels. */
  readonly channels?: number;
}

/** The entries of a master playlist, best variant first. */
interface MasterPlaylist {
  /** Every segment of every variant begins with a keyframe. */
  readonly isIndependent: boolean;
  readonly variants: readonly MasterVariant[];
  readonly renditions: readonly MasterRendition[];
}

export function masterPlaylist({ isIndependent, variants, renditions }: MasterPlaylist): string {
  const groups = [...new Set(renditions.map(({ type }) => type))];
  const lines = [
    '#EXTM3U',
    ...(isIndependent ? ['#EXT-X-INDEPENDENT-SEGMENTS'] : []),
    ...renditions.map((rendition) => renditionLine(rendition, renditions)),
    ...variants.flatMap((variant) => [
      `#EXT-X-STREAM-INF:${[...attributesOf(variant), ...groups.map((type) => `${type}="${groupName(type)}"`)].join(',')}`,
      variant.uri,
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

function attributesOf({ bandwidth, averageBandwidth, codecs, width, height, fps }: MasterVariant): string[] {
  const attributes = [`BANDWIDTH=${Math.max(1, Math.ceil(bandwidth))}`];
  if (averageBandwidth > 0) attributes.push(`AVERAGE-BANDWIDTH=${Math.ceil(averageBandwidth)}`);
  if (codecs !== '') attributes.push(`CODECS="${codecs}"`);
  if (width > 0 && height > 0) attributes.push(`RESOLUTION=${width}x${height}`);
  if (fps > 0) attributes.push(`FRAME-RATE=${fps.toFixed(3)}`);
  return attributes;
}

/** Names in a group differ (RFC 8216, 4.3.4.1.1); where the owner gave the same one twice, the language tells them apart. */
function renditionLine(rendition: MasterRendition, all: readonly MasterRendition[]): string {
  const { type, language, isDefault, uri, channels } = rendition;
  const alike = all.filter((other) => other.type === type && other.name === rendition.name);
  const isClear = rendition.name !== '' && alike.length === 1;
  const name = isClear ? rendition.name : `${rendition.name} (${language})`.trim();
  const attributes = [`TYPE=${type}`, `GROUP-ID="${groupName(type)}"`, `NAME="${name}"`];
  if (language !== '') attributes.push(`LANGUAGE="${language}"`);
  attributes.push(`DEFAULT=${isDefault ? 'YES' : 'NO'}`, 'AUTOSELECT=YES');
  if (type === 'SUBTITLES') attributes.push('FORCED=NO');
  if (channels) attributes.push(`CHANNELS="${channels}"`);
  attributes.push(`URI="${uri}"`);
  return `#EXT-X-MEDIA:${attributes.join(',')}`;
}

const groupName = (type: MasterRendition['type']): string => type.toLowerCase();
