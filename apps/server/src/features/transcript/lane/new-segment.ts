import { type FinishedSegment, placeText } from '@weir/dialect';
import type { LaneRow } from './lane-repository.ts';
import type { SegmentRow } from './segment-row.ts';

interface Before {
  /** The segment before it, if that is still there. */
  readonly last: SegmentRow | undefined;
  /** One between the two never came, or was dropped. */
  readonly isLost: boolean;
  readonly atMs: number;
}

/** A segment as it enters a lane. Whoever publishes anew, or another stream, begins an epoch. */
export function newSegment(segment: FinishedSegment, row: LaneRow, { last, isLost, atMs }: Before): SegmentRow {
  const { uuid: lane, epoch } = row;
  const isBegun = last !== undefined || row.nextNumber !== null;
  const { id, sequence, vhost, app, stream, clientId, durationMs } = segment;
  const isSame = last !== undefined && last.clientId === clientId && placeText(last) === placeText(segment);
  const isSeam = !isSame || isLost || (segment.isDiscontinuity ?? false) || last.sequence !== sequence - 1;
  return {
    ...{ id, lane, order: (last?.order ?? -1) + 1, number: null, sequence, vhost, app, stream, clientId, durationMs },
    ...{ epoch: isSame ? epoch : epoch + 1, isDiscontinuity: isBegun && isSeam, atMs },
    ...{ startMs: null, video: '', bytes: 0, queue: 'live', eac: 0, asrc: 0, olc: 0 },
    ...{ cues: [], isCleared: false, isEdited: false, overlayBytes: 0, isBurnt: false },
  };
}

/** Its number behind the last one of the output, without gaps. Where text changes the codec players must begin anew. */
export function placeInOutput(row: SegmentRow, last: SegmentRow | undefined, { nextNumber }: LaneRow) {
  const codecOf = ({ isBurnt, video }: SegmentRow) => (isBurnt ? 'h264' : video);
  const isOtherCodec = last !== undefined && codecOf(last) !== codecOf(row);
  const number = typeof last?.number === 'number' ? last.number + 1 : (nextNumber ?? row.sequence);
  return { number, isDiscontinuity: row.isDiscontinuity || isOtherCodec };
}
