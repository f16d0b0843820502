import * as z from 'zod';
import { PipelineSegment, segmentEndMs } from '../../../pipelines/pipeline-segment.ts';
import { Cue } from '../../../speech/cue.ts';

const queueNames = ['live', 'asr', 'fix', 'overlay'] as const;
export type QueueName = (typeof queueNames)[number];

/** Segment in the queues of a pipeline. */
export const SegmentRow = PipelineSegment.extend({
  /** Id of the pipeline. */
  lane: z.uuid(),
  /** Counts what left it for the output, without gaps: what playlists count. */
  number: z.int().nullable().default(null),
  isDiscontinuity: z.boolean(),
  video: z.enum(['h264', 'h265', '']).default(''),
  queue: z.enum(queueNames),
  eac: z.int().default(0),
  asrc: z.int().default(0),
  olc: z.int().default(0),
  cues: z.array(Cue).default([]),
  /** A person removed or edited the text. */
  isCleared: z.boolean().default(false),
  isEdited: z.boolean().default(false),
  overlayBytes: z.int().default(0),
  /** Text is burnt into its overlay, which requires encoding. */
  isBurnt: z.boolean().default(false),
});
export type SegmentRow = z.output<typeof SegmentRow>;

/** Ids of the segment in each queue, also used as file names. */
export function segmentIds({ id, sequence }: Pick<SegmentRow, 'id' | 'sequence'>) {
  return {
    org: `${sequence}-org-${id}`,
    audio: `${sequence}-audio-${id}`,
    overlay: `${sequence}-overlay-${id}`,
  } as const;
}

/** Cues to show; none once cleared. */
export function shownCues({ cues, isCleared }: Pick<SegmentRow, 'cues' | 'isCleared'>): readonly Cue[] {
  return isCleared ? [] : cues.filter(({ text }) => text.trim() !== '');
}

export function overlaps(row: SegmentRow, { startMs, endMs }: { startMs: number; endMs: number }): boolean {
  return row.startMs !== null && startMs < segmentEndMs(row) && endMs > row.startMs;
}
