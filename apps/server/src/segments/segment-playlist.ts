import type { LoggedSegment } from './segment-log.ts';

/** Parts of a recording that are each continuous. */
export function splitRuns(segments: readonly LoggedSegment[]): LoggedSegment[][] {
  const runs: LoggedSegment[][] = [];
  for (const segment of segments) {
    const run = runs.at(-1);
    if (run && !segment.isDiscontinuity) run.push(segment);
    else runs.push([segment]);
  }
  return runs;
}

interface PlaylistOptions {
  /** More will come. */
  readonly isOpen: boolean;
  readonly uri: (segment: LoggedSegment) => string;
}

/** RFC 8216. A growing recording is an event: players keep asking, and can go back to its beginning. */
export function segmentPlaylist(segments: readonly LoggedSegment[], { isOpen, uri }: PlaylistOptions): string {
  const longestMs = segments.reduce((longest, { durationMs }) => Math.max(longest, durationMs), 1000);
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:3',
    `#EXT-X-PLAYLIST-TYPE:${isOpen ? 'EVENT' : 'VOD'}`,
    `#EXT-X-TARGETDURATION:${Math.round(longestMs / 1000)}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
  ];
  segments.forEach((segment, index) => {
    if (segment.isDiscontinuity && index > 0) lines.push('#EXT-X-DISCONTINUITY');
    lines.push(`#EXTINF:${(segment.durationMs / 1000).toFixed(3)},`, uri(segment));
  });
  if (!isOpen) lines.push('#EXT-X-ENDLIST');
  return `${lines.join('\n')}\n`;
}
