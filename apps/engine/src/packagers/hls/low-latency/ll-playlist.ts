import { areIndependent, dateTime, gapTag, independentTag, seconds } from '../playlist.ts';
import type { Segment } from '../segments/segment-window.ts';

/** A piece of a segment that players may fetch before the segment is whole. */
export interface Part {
  readonly uri: string;
  readonly durationMs: number;
  /** Holds a keyframe at its start. */
  readonly isIndependent: boolean;
  /** True if it is empty, because a lower quality paused. */
  readonly isGap?: boolean;
}

export interface LlSegment extends Segment {
  /** Empty for what needs no initialisation. */
  readonly mapUri: string;
  readonly parts: readonly Part[];
}

export interface LlPlaylist {
  readonly segments: readonly LlSegment[];
  readonly discontinuitySequence: number;
  /** The segment whose parts appear now; its duration is that of its parts. */
  readonly open: LlSegment | undefined;
  readonly hintUri: string;
  readonly targetSeconds: number;
  /** No part is longer. */
  readonly partTargetMs: number;
  /** Distance of part players from the end. */
  readonly partHoldBackMs: number;
}

/**
 * A low-latency media playlist, draft-pantos-hls-rfc8216bis. With `isDelta` the older segments are only counted
 * (6.2.5.1), which a client may ask for when it has read them before.
 */
export function llPlaylist(playlist: LlPlaylist, isDelta: boolean): string {
  const { segments, open, discontinuitySequence, hintUri, partTargetMs, partHoldBackMs } = playlist;
  const target = playlist.targetSeconds;
  const skipSeconds = 6 * target;
  const shown = open ? [...segments, open] : segments;
  const skipped = isDelta ? skippable(playlist, skipSeconds * 1000) : 0;
  const lines = [
    '#EXTM3U',
    '#EXT-X-VERSION:9',
    ...(areIndependent(shown) ? [independentTag] : []),
    `#EXT-X-TARGETDURATION:${target}`,
    `#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=${seconds(partHoldBackMs)},` +
      `HOLD-BACK=${seconds(3000 * target)},CAN-SKIP-UNTIL=${seconds(skipSeconds * 1000)}`,
    `#EXT-X-PART-INF:PART-TARGET=${seconds(partTargetMs)}`,
    `#EXT-X-MEDIA-SEQUENCE:${(segments[0] ?? open)?.sequence ?? 0}`,
    `#EXT-X-DISCONTINUITY-SEQUENCE:${discontinuitySequence}`,
  ];
  if (skipped > 0) lines.push(`#EXT-X-SKIP:SKIPPED-SEGMENTS=${skipped}`);
  let mapUri = skipped > 0 ? segments[skipped - 1]?.mapUri : undefined;
  const partsFrom = firstWithParts(segments, open, 3000 * target);
  for (let index = skipped; index < shown.length; index++) {
    const segment = shown[index];
    if (!segment) break;
    if (segment.isDiscontinuity) lines.push('#EXT-X-DISCONTINUITY');
    if (segment.mapUri !== mapUri && segment.mapUri !== '') lines.push(`#EXT-X-MAP:URI="${segment.mapUri}"`);
    mapUri = segment.mapUri;
    lines.push(`#EXT-X-PROGRAM-DATE-TIME:${dateTime(segment.dateMs)}`);
    if (index >= partsFrom) for (const part of segment.parts) lines.push(partLine(part));
    if (segment.isGap && segment !== open) lines.push(gapTag);
    if (segment !== open) lines.push(`#EXTINF:${seconds(segment.durationMs)},`, segment.uri);
  }
  if (hintUri !== '') lines.push(`#EXT-X-PRELOAD-HINT:TYPE=PART,URI="${hintUri}"`);
  return `${lines.join('\n')}\n`;
}

function partLine({ durationMs, uri, isIndependent, isGap }: Part): string {
  const facts = `${isIndependent ? ',INDEPENDENT=YES' : ''}${isGap ? ',GAP=YES' : ''}`;
  return `#EXT-X-PART:DURATION=${seconds(durationMs)},URI="${uri}"${facts}`;
}

/** Number of oldest segments before the skip boundary, counted from the end of the playlist. */
function skippable({ segments, open }: LlPlaylist, boundaryMs: number): number {
  let remainingMs = open?.durationMs ?? 0;
  for (const { durationMs } of segments) remainingMs += durationMs;
  let count = 0;
  for (const { durationMs } of segments) {
    remainingMs -= durationMs;
    if (remainingMs < boundaryMs) break;
    count++;
  }
  return count;
}

/** Parts are only worth naming near the end: those that end more than three target durations before it go (4.4.4.9). */
export function firstWithParts(
  segments: readonly LlSegment[],
  open: LlSegment | undefined,
  boundaryMs: number,
): number {
  let fromEndMs = open?.durationMs ?? 0;
  let index = segments.length;
  while (index > 0 && fromEndMs < boundaryMs) {
    index--;
    fromEndMs += segments[index]?.durationMs ?? 0;
  }
  return index;
}
