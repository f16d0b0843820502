import { dateTime, independentTag, seconds } from '../../../packagers/hls/playlist.ts';
import type { CatalogChunk } from './rewind-catalog.ts';

/** Text of a chunk's entries. Called once per chunk and form, since a chunk is in thousands of playlists. */
type ChunkText = (chunk: CatalogChunk) => string;

/** Entries older than this many targets are left out for players that know them (rfc8216bis, 4.4.3.8: at least six). */
const skipTargets = 6;

/**
 * A sliding playlist of the past. It begins with a whole chunk, so that the text of a chunk is the same in all playlists. With `isDelta` chunks
 * that a player has read before are only counted (rfc8216bis, 6.2.5.1). `isOver`: nothing more is expected.
 */
export function rewindPlaylist(
  chunks: readonly CatalogChunk[],
  text: ChunkText,
  { isDelta, isOver }: { isDelta: boolean; isOver: boolean },
): string {
  const [oldest] = chunks;
  const target = targetSeconds(chunks);
  const skipped = isDelta ? skippable(chunks, skipTargets * target * 1000) : 0;
  const skippedPieces = chunks.slice(0, skipped).reduce((sum, { pieces }) => sum + pieces.length, 0);
  const lines = [
    '#EXTM3U',
    // EXT-X-SKIP needs 9; older players need not be told of it otherwise.
    `#EXT-X-VERSION:${skippedPieces > 0 ? 9 : 3}`,
    ...(chunks.every(({ isIndependent }) => isIndependent) ? [independentTag] : []),
    `#EXT-X-TARGETDURATION:${target}`,
    `#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=${seconds(skipTargets * target * 1000)}`,
    `#EXT-X-MEDIA-SEQUENCE:${oldest?.first ?? 0}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${oldest?.head.discontinuities ?? 0}`,
    ...(skippedPieces > 0 ? [`#EXT-X-SKIP:SKIPPED-SEGMENTS=${skippedPieces}`] : []),
  ];
  return `${lines.join('\n')}\n${chunks.slice(skipped).map(text).join('')}${isOver ? '#EXT-X-ENDLIST\n' : ''}`;
}

/** No entry is longer. */
export function targetSeconds(chunks: readonly CatalogChunk[]): number {
  const longest = ({ pieces }: CatalogChunk) => pieces.reduce((most, piece) => Math.max(most, piece.durationMs), 0);
  return chunks.reduce((most, chunk) => Math.max(most, chunk.head.targetSeconds, Math.round(longest(chunk) / 1000)), 1);
}

/** Number of chunks that end before the skip boundary. */
function skippable(chunks: readonly CatalogChunk[], untilMs: number): number {
  let keptMs = 0;
  for (let index = chunks.length - 1; index >= 0; index--) {
    if (keptMs >= untilMs) return index + 1;
    keptMs += chunks[index]?.durationMs ?? 0;
  }
  return 0;
}

/** Entries of a chunk. The date is told once: players add the durations. */
export function chunkText({ pieces }: CatalogChunk, uri: (number: number, dateMs: number) => string): string {
  const lines: string[] = [];
  for (const [index, { number, durationMs, dateMs, isDiscontinuity }] of pieces.entries()) {
    if (isDiscontinuity) lines.push('#EXT-X-DISCONTINUITY');
    if (index === 0 || isDiscontinuity) lines.push(`#EXT-X-PROGRAM-DATE-TIME:${dateTime(dateMs)}`);
    lines.push(`#EXTINF:${seconds(durationMs)},`, uri(number, dateMs));
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}
