import type { FinishedSegment } from '@weir/engine-api';
import { placeText } from '@weir/streams';
import * as z from 'zod';

/** Common fields of a segment in the queues of a feature. */
export const PipelineSegment = z.object({
  /** Id of the segment, stable across restarts. */
  id: z.uuid(),
  /** Counts what came. */
  order: z.int(),
  /** Sequence number of the media server. */
  sequence: z.int(),
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  /** Id of the publisher. */
  clientId: z.string(),
  /** Counts the runs of publishers. */
  epoch: z.int(),
  /** When it came. */
  atMs: z.number(),
  durationMs: z.number(),
  /** On the clock of the stream; null while its file has not been looked at. */
  startMs: z.number().nullable().default(null),
  bytes: z.int(),
  /** True if the video begins with a keyframe. */
  isIndependent: z.boolean().default(true),
});
export type PipelineSegment = z.output<typeof PipelineSegment>;

interface Before {
  /** The segment before it, if that is still there. */
  readonly last: PipelineSegment | undefined;
  /** Epoch of the previous segment, even if that is gone. */
  readonly epoch: number;
  readonly atMs: number;
}

/** A new segment. Another publisher or stream begins an epoch. */
export function enteringSegment(segment: FinishedSegment, { last, epoch, atMs }: Before): PipelineSegment {
  const { id, sequence, vhost, app, stream, clientId, durationMs, isIndependent = true } = segment;
  const isSame = last !== undefined && isSameRun(last, segment);
  return {
    id,
    order: (last?.order ?? -1) + 1,
    sequence,
    vhost,
    app,
    stream,
    clientId,
    epoch: isSame ? epoch : epoch + 1,
    atMs,
    durationMs,
    startMs: null,
    bytes: 0,
    isIndependent,
  };
}

type OfRun = Pick<PipelineSegment, 'vhost' | 'app' | 'stream' | 'clientId'>;

/** True for the same stream and publisher. */
export function isSameRun(one: OfRun, other: OfRun): boolean {
  return one.clientId === other.clientId && placeText(one) === placeText(other);
}

export function segmentEndMs({ startMs, durationMs }: Pick<PipelineSegment, 'startMs' | 'durationMs'>): number {
  return (startMs ?? 0) + durationMs;
}
