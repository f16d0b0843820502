import type { FinishedSegment } from '@weir/engine-api';
import { enteringSegment, isSameRun } from '../../../pipelines/pipeline-segment.ts';
import type { PipelineRow } from './pipeline-repository.ts';
import type { SegmentRow } from './segment-row.ts';

interface Before {
  /** The segment before it, if that is still there. */
  readonly last: SegmentRow | undefined;
  /** True if a segment between the two was lost or dropped. */
  readonly isLost: boolean;
  readonly atMs: number;
}

/** A segment as it enters a lane. Whoever publishes anew, or another stream, begins an epoch. */
export function newSegment(segment: FinishedSegment, row: PipelineRow, { last, isLost, atMs }: Before): SegmentRow {
  const { uuid: lane, epoch } = row;
  const isBegun = last !== undefined || row.nextNumber !== null;
  const isNext = last !== undefined && isSameRun(last, segment) && last.sequence === segment.sequence - 1;
  const isSeam = !isNext || isLost || (segment.isDiscontinuity ?? false);
  return {
    ...enteringSegment(segment, { last, epoch, atMs }),
    lane,
    number: null,
    isDiscontinuity: isBegun && isSeam,
    video: '',
    queue: 'live',
    eac: 0,
    asrc: 0,
    olc: 0,
    cues: [],
    isCleared: false,
    isEdited: false,
    overlayBytes: 0,
    isBurnt: false,
  };
}

/**
 * Number of the segment in the output, without gaps. A change between copied and encoded video needs a discontinuity.
 */
export function placeInOutput(row: SegmentRow, last: SegmentRow | undefined, { nextNumber }: PipelineRow) {
  const codecOf = ({ isBurnt, video }: SegmentRow) => (isBurnt ? 'h264' : video);
  const isOtherCodec = last !== undefined && codecOf(last) !== codecOf(row);
  const number = typeof last?.number === 'number' ? last.number + 1 : (nextNumber ?? row.sequence);
  return { number, isDiscontinuity: row.isDiscontinuity || isOtherCodec };
}
