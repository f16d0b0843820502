import type { Segment } from './segments/segment-window.ts';

export interface MediaPlaylist {
  readonly segments: readonly Segment[];
  readonly discontinuitySequence: number;
  readonly targetSeconds: number;
  /** True if segments may be gaps, which needs a later version from the first playlist on. */
  readonly hasGaps?: boolean;
}

/** A live media playlist, RFC 8216. Ends with a newline. */
export function mediaPlaylist({ segments, discontinuitySequence, targetSeconds, hasGaps }: MediaPlaylist): string {
  const lines = [
    '#EXTM3U',
    `#EXT-X-VERSION:${hasGaps ? 8 : 3}`,
    ...(areIndependent(segments) ? [independentTag] : []),
    `#EXT-X-TARGETDURATION:${targetSeconds}`,
    `#EXT-X-MEDIA-SEQUENCE:${segments[0]?.sequence ?? 0}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${discontinuitySequence}`,
  ];
  for (const segment of segments) {
    if (segment.isDiscontinuity) lines.push('#EXT-X-DISCONTINUITY');
    if (segment.isGap) lines.push(gapTag);
    lines.push(
      `#EXT-X-PROGRAM-DATE-TIME:${dateTime(segment.dateMs)}`,
      `#EXTINF:${seconds(segment.durationMs)},`,
      segment.uri,
    );
  }
  return `${lines.join('\n')}\n`;
}

/** Before a segment that is not there (rfc8216bis, 4.4.4.7). */
export const gapTag = '#EXT-X-GAP';

/** True of the whole playlist or of nothing in it (RFC 8216, 4.3.5.1). */
export const independentTag = '#EXT-X-INDEPENDENT-SEGMENTS';

export const areIndependent = (segments: readonly Pick<Segment, 'isIndependent'>[]): boolean =>
  segments.every(({ isIndependent }) => isIndependent);

export const seconds = (durationMs: number): string => (durationMs / 1000).toFixed(3);

export const dateTime = (dateMs: number): string => new Date(dateMs).toISOString();
