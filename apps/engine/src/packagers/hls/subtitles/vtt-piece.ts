import { webVtt } from '@weir/media';
import type { KeptCue } from '../../../hub/subtitles/cue-store.ts';

/** A segment or part, on the stream's clock. */
export interface PieceTimes {
  readonly startMs: number;
  readonly endMs: number;
}

/** Typical distance of low-latency players from the live edge. */
const lowHoldBackMs = 1000;

/**
 * The WebVTT that goes with a piece of video: every cue that is shown during it, whole, in each piece it touches (RFC 8216, 3.5), and
 * every cue that came while the piece was made. Words are known a second or more after they were said, so the piece they belong to may
 * have been read by then; a player that has it all the same takes a cue by its id once.
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
