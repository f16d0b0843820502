import type { AsrSegment, FixSegment, LiveSegment, OverlaySegment } from '@weir/contract';
import { streamLabel } from '@weir/streams';
import { usualFormat } from '../../../segments/segment-feed.ts';
import { joinLines } from '../../../speech/join-texts.ts';
import { type SegmentRow, segmentIds, shownCues } from './segment-row.ts';

/** Bytes of the audio that is recognised, in a millisecond. */
const audioBytesPerMs = 32;

/** A segment as each queue shows it. */
export const segmentViews = { live: liveView, asr: asrView, fix: fixView, overlay: overlayView } as const;

function liveView(row: SegmentRow): LiveSegment {
  const { org } = segmentIds(row);
  return { ...common(row), tsid: org, url: `transcript/${org}${usualFormat.extension}`, size: row.bytes };
}

function asrView(row: SegmentRow): AsrSegment {
  const { org, audio } = segmentIds(row);
  const size = Math.round(row.durationMs * audioBytesPerMs);
  return { ...common(row), tsid: audio, url: `transcript/${audio}.m4a`, size, stsid: org, eac: row.eac };
}

function fixView(row: SegmentRow): FixSegment {
  // Cleared cues are still listed; the console strikes them through.
  const cues = shownCues({ cues: row.cues, isCleared: false });
  return {
    ...asrView(row),
    asr: joinLines(cues.map(({ text }) => text).join('\n')),
    asrs: cues.map(({ startMs, endMs, text }) => ({ start: within(row, startMs), end: within(row, endMs), text })),
    uca: row.isCleared,
    edited: row.isEdited,
    asrc: row.asrc,
  };
}

function overlayView(row: SegmentRow): OverlaySegment {
  const { audio, overlay } = segmentIds(row);
  const { olc, overlayBytes: size } = row;
  return { ...fixView(row), tsid: overlay, url: `transcript/${overlay}${usualFormat.extension}`, size, audio, olc };
}

function common(row: SegmentRow) {
  const { sequence: seqno, epoch, isDiscontinuity: discontinuity, durationMs } = row;
  return { seqno, duration: durationMs / 1000, stream: streamLabel(row), epoch, discontinuity };
}

/** Seconds within the segment: a cue may begin before it, and end after it. */
function within({ startMs, durationMs }: SegmentRow, atMs: number): number {
  return Math.min(Math.max(0, atMs - (startMs ?? 0)), durationMs) / 1000;
}
