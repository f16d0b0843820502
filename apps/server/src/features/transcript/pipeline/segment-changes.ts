import type { FinishedSegment } from '@weir/engine-api';
import { WeirError } from '../../../core/errors.ts';
import { enteringSegment, isSameRun, segmentEndMs } from '../../../pipelines/pipeline-segment.ts';
import type { Cue } from '../../../speech/cue.ts';
import type { PipelineRow } from './pipeline-repository.ts';
import { type SegmentRow, shownCues } from './segment-row.ts';

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

/** The text of a segment as a person wants it, as one cue. */
export function withWholeText(row: SegmentRow, text: string): SegmentRow {
  const shown = shownCues({ cues: row.cues, isCleared: false });
  const startMs = shown[0]?.startMs ?? row.startMs ?? 0;
  const cue = { startMs, endMs: shown.at(-1)?.endMs ?? segmentEndMs(row), text };
  return { ...row, cues: [cue], isEdited: true, isCleared: false };
}

/** By its place in what the queue shows. */
export function cueAt(row: SegmentRow, index: number): Cue {
  const cue = shownCues({ cues: row.cues, isCleared: false })[index];
  if (!cue) throw new WeirError('not_found', 'there is no such cue in this segment');
  return cue;
}

/** The same row where it does not hold the cue. */
export function withCueText(row: SegmentRow, before: Cue, text: string): SegmentRow {
  const isSame = (cue: Cue) => cue.startMs === before.startMs && cue.endMs === before.endMs;
  if (!row.cues.some(isSame)) return row;
  const cues = row.cues.map((cue) => (isSame(cue) ? { ...cue, text } : cue));
  return { ...row, cues, isEdited: true, isCleared: false };
}
