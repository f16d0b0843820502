import { dubbingLimits } from '@weir/contract';
import type { GroupRow } from '../script/rows.ts';

/** Between two voices, so that they are heard as two. */
const breathSeconds = 0.08;
/** One frame of excess is not noticeable. */
const tolerance = 0.02;

/** Seconds that a voice may take: as long as its group, and with the pause behind it. */
interface Room {
  readonly own: number;
  readonly withPause: number;
}

export function availableTime(group: GroupRow, next: GroupRow | undefined, filmSeconds: number): Room {
  const free = Math.max(0, (next ? next.start - breathSeconds : filmSeconds) - group.start);
  // Groups of people who speak at the same time lie over each other.
  const own = Math.min(group.end, next?.start ?? filmSeconds) - group.start;
  return { own: Math.max(0, own), withPause: Math.max(0, own, free) };
}

interface Fit {
  readonly kind: 'fits' | 'pause' | 'long';
  /** Playback speed. */
  readonly tempo: number;
  /** Seconds that are too many even so. */
  readonly over: number;
}

/** Fits a voice into its time: unchanged, a little faster, into the following pause, or not at all. */
export function fitInto(seconds: number, { own, withPause }: Room): Fit {
  const { fastest } = dubbingLimits;
  const tempoInto = (room: number) =>
    seconds <= room + tolerance ? 1 : Math.ceil((seconds / Math.max(0.01, room)) * 100) / 100;
  const gentle = tempoInto(own);
  if (gentle <= fastest) return { kind: 'fits', tempo: gentle, over: 0 };
  const tempo = tempoInto(withPause);
  if (tempo <= fastest) return { kind: 'pause', tempo, over: 0 };
  return { kind: 'long', tempo: fastest, over: seconds / fastest - withPause };
}
