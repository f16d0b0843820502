import { AiCause } from '@weir/contract';
import * as z from 'zod';
import { PipelineSegment } from '../../../pipelines/pipeline-segment.ts';

const queueNames = ['live', 'ocr', 'callback', 'cleanup'] as const;
export type QueueName = (typeof queueNames)[number];

/** Segment in the pipeline: its frame is extracted, read and reported. */
export const OcrRow = PipelineSegment.extend({
  queue: z.enum(queueNames),
  imageBytes: z.int().default(0),
  eic: z.int().default(0),
  ocr: z.string().default(''),
  ocrc: z.int().default(0),
  cbc: z.int().default(0),
  /** Null until it is decided. */
  outcome: z.enum(['called', 'skipped', 'failed']).nullable().default(null),
  cause: AiCause.nullable().default(null),
  answeredBy: z.string().default(''),
  model: z.string().default(''),
  prompt: z.string().default(''),
  /** True once the callback is queued for delivery. */
  isTold: z.boolean().default(false),
});
export type OcrRow = z.output<typeof OcrRow>;

/** Ids of the segment in each queue, also used as file names. */
export function segmentIds({ id, sequence }: Pick<OcrRow, 'id' | 'sequence'>) {
  return { org: `${sequence}-org-${id}`, image: `${sequence}-image-${id}` } as const;
}

/** When it began, by the clock of this machine. */
export function beganAt({ atMs, durationMs }: Pick<OcrRow, 'atMs' | 'durationMs'>): string {
  return new Date(atMs - durationMs).toISOString();
}
