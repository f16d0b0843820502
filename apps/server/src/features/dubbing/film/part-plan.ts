import type { PartRow } from '../script/rows.ts';
import { longestPause } from './loudness.ts';

/** Usual length of a part: long enough to give a recogniser context, short enough to be sent, and sent again. */
const usualSeconds = 120;
/** Distance from the usual end of a part within which a pause is searched. */
const searchSeconds = 30;

/** Cuts a film in pauses of speech, if there is one near the end of a part. */
export function planParts(levels: Uint8Array, filmSeconds: number): PartRow[] {
  const parts: PartRow[] = [];
  for (let start = 0; start < filmSeconds - 0.05; ) {
    const isLast = filmSeconds - start <= usualSeconds + searchSeconds;
    const near = start + usualSeconds;
    const end = isLast ? filmSeconds : (longestPause(levels, near - searchSeconds, near + searchSeconds) ?? near);
    parts.push({ kind: 'part', index: parts.length, start, end, state: 'open', tries: 0 });
    start = end;
  }
  return parts;
}
