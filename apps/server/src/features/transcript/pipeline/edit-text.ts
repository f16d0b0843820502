import { WeirError } from '../../../core/errors.ts';
import { segmentEndMs } from '../../../pipelines/pipeline-segment.ts';
import type { Cue } from '../../../speech/cue.ts';
import { type SegmentRow, shownCues } from './segment-row.ts';

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
