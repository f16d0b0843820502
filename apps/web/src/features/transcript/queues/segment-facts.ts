import type { FixSegment } from '@weir/contract';

/** What a row says of its cues: how many, the longest text, and the most words of one. */
export function cueFacts({ asrs }: Pick<FixSegment, 'asrs'>) {
  return {
    count: asrs.length,
    asrsMaxLength: Math.max(0, ...asrs.map(({ text }) => text.length)),
    asrsMaxWords: Math.max(0, ...asrs.map(({ text }) => text.split(/\s+/).filter((word) => word !== '').length)),
  };
}

/** Whether the text of a row can still be cleared: the first of several is about to leave the queue. */
export function allowClearSubtitle(segments: readonly Pick<FixSegment, 'tsid' | 'uca'>[], tsid: string): boolean {
  const index = segments.findIndex((segment) => segment.tsid === tsid);
  if (index === -1 || segments[index]?.uca) return false;
  return segments.length === 1 || index > 0;
}
