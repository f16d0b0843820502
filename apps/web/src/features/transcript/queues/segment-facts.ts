import type { FixSegment } from '@weir/contract';

/** Facts of a row about its cues: count, longest text, and most words. */
export function cueFacts({ asrs }: Pick<FixSegment, 'asrs'>) {
  return {
    count: asrs.length,
    asrsMaxLength: Math.max(0, ...asrs.map(({ text }) => text.length)),
    asrsMaxWords: Math.max(0, ...asrs.map(({ text }) => text.split(/\s+/).filter((word) => word !== '').length)),
  };
}

/** Returns whether the text of a row can still be cleared. The first of several rows is about to leave the queue. */
export function allowClearSubtitle(segments: readonly Pick<FixSegment, 'tsid' | 'uca'>[], tsid: string): boolean {
  const index = segments.findIndex((segment) => segment.tsid === tsid);
  if (index === -1 || segments[index]?.uca) return false;
  return segments.length === 1 || index > 0;
}
