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

/** True of the whole playlist or of nothing in it (RFC 8216, 4.3.5.1). */
export const independentTag = '#EXT-X-INDEPENDENT-SEGMENTS';

export const areIndependent = (segments: readonly Pick<Segment, 'isIndependent'>[]): boolean =>
  segments.every(({ isIndependent }) => isIndependent);

export const seconds = (durationMs: number): string => (durationMs / 1000).toFixed(3);

export const dateTime = (dateMs: number): string => new Date(dateMs).toISOString();
