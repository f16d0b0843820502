export const segmentFormatNames = ['mpegts', 'fmp4'] as const;
export type SegmentFormatName = (typeof segmentFormatNames)[number];

/** Container of segments. Everything that differs between containers and is not code stands here. */
export interface SegmentFormat {
  readonly name: SegmentFormatName;
  /** Extension of segment files and addresses, with its dot. */
  readonly extension: string;
  readonly contentType: string;
  /** Names in ffmpeg. */
  readonly muxer: string;
  readonly demuxer: string;
  /** True if a segment is decoded only after an init section, which is a file of its own (EXT-X-MAP). */
  readonly hasInit: boolean;
}

export const segmentFormats: Readonly<Record<SegmentFormatName, SegmentFormat>> = {
  mpegts: {
    name: 'mpegts',
    extension: '.ts',
    contentType: 'video/mp2t',
    muxer: 'mpegts',
    demuxer: 'mpegts',
    hasInit: false,
  },
  fmp4: {
    name: 'fmp4',
    extension: '.m4s',
    contentType: 'video/mp4',
    muxer: 'mp4',
    demuxer: 'mov',
    hasInit: true,
  },
};

/** Extension of files that hold an init section. */
export const initExtension = '.mp4';
/** Hexadecimal digits of a hash of the content. */
export const initIdLength = 32;
export const initIdPattern = `[0-9a-f]{${initIdLength}}`;

export function isSegmentFormat(text: unknown): text is SegmentFormatName {
  return segmentFormatNames.some((name) => name === text);
}
