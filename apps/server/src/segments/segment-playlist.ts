import { initFileName, type LoggedSegment, segmentFileName } from './segment-log.ts';

/** Parts of a recording that are each continuous. */
export function splitRuns(segments: readonly LoggedSegment[]): LoggedSegment[][] {
  const runs: LoggedSegment[][] = [];
  for (const segment of segments) {
    const run = runs.at(-1);
    if (run && !segment.isDiscontinuity && segment.init === run[0]?.init) run.push(segment);
    else runs.push([segment]);
  }
  return runs;
}

interface PlaylistOptions {
  /** More will come. */
  readonly isOpen: boolean;
  /** Address of a file of the recording. */
  readonly uri: (fileName: string) => string;
}

/** RFC 8216. A growing recording is an event: players keep asking, and can go back to its beginning. */
export function segmentPlaylist(segments: readonly LoggedSegment[], { isOpen, uri }: PlaylistOptions): string {
  const longestMs = segments.reduce((longest, { durationMs }) => Math.max(longest, durationMs), 1000);
  const lines = [
    '#EXTM3U',
    // EXT-X-MAP in a playlist of whole segments needs 6 (RFC 8216, 7), fragmented MP4 in players of Apple 7.
    `#EXT-X-VERSION:${segments.some(({ init }) => init !== '') ? 7 : 3}`,
    `#EXT-X-PLAYLIST-TYPE:${isOpen ? 'EVENT' : 'VOD'}`,
    `#EXT-X-TARGETDURATION:${Math.round(longestMs / 1000)}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
  ];
  segments.forEach((segment, index) => {
    const isNewInit = segment.init !== (segments[index - 1]?.init ?? '');
    const isSeam = index > 0 && (segment.isDiscontinuity || isNewInit);
    if (isSeam) lines.push('#EXT-X-DISCONTINUITY');
    if (segment.init !== '' && (isSeam || isNewInit)) lines.push(`#EXT-X-MAP:URI="${uri(initFileName(segment.init))}"`);
    lines.push(`#EXTINF:${(segment.durationMs / 1000).toFixed(3)},`, uri(segmentFileName(segment)));
  });
  if (!isOpen) lines.push('#EXT-X-ENDLIST');
  return `${lines.join('\n')}\n`;
}
