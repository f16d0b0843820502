import { webVtt } from '@weir/media';
import type { KeptCue } from '../../hub/cue-store.ts';

/** A segment or part, on the stream's clock. */
export interface PieceTimes {
  readonly startMs: number;
  readonly endMs: number;
}

/** Typical distance of low-latency players from the live edge. */
const lowHoldBackMs = 1000;

/**
 * WebVTT segment beside a video segment: each cue shown during it, complete in each segment it touches (RFC 8216, 3.5), and each cue that
 * arrived meanwhile. Recognition is late by a second or more, so the right segment may have been read before; players ignore a repeated
 * cue by its id.
 */
export function vttPiece(cues: Iterable<KeptCue>, piece: PieceTimes, { isLow }: { isLow: boolean }): string {
  const shown: KeptCue[] = [];
  for (const kept of cues) {
    const cue = isLow ? inReach(kept) : kept;
    const isDuring = cue.startMs < piece.endMs && cue.endMs > piece.startMs;
    const cameDuring = kept.arrivedMs >= piece.startMs && kept.arrivedMs < piece.endMs;
    // Interim cues are only for players that can withdraw them.
    if (!kept.isInterim && (isDuring || cameDuring)) shown.push(cue);
  }
  return webVtt(shown, piece.startMs);
}

/** Players of ordinary HLS are so far behind that a cue comes in time. Others are past it: they are shown it as soon as they can. */
function inReach(cue: KeptCue): KeptCue {
  const lateMs = cue.arrivedMs - lowHoldBackMs - cue.startMs;
  return lateMs <= 0 ? cue : { ...cue, startMs: cue.startMs + lateMs, endMs: cue.endMs + lateMs };
}
