import { randomUUID } from 'node:crypto';
import { joinTexts } from '../../../speech/join-texts.ts';
import { GroupRow, type SpokenRow } from './rows.ts';

/** Pause that ends a sentence. */
const dividingSeconds = 0.7;
/** Between two sentences; shorter ones are hardly heard as an end. */
const sentenceSeconds = 0.12;
/** Longer than this a group is hard to keep in time with lips. */
const longestSeconds = 12;
const longestCharacters = 220;
/** Too short to be spoken by itself: it is rather joined to what follows at once. */
const shortestSeconds = 1.2;

/** Joins speech without a pause into groups. Pieces are in order. */
export function joinIntoGroups(pieces: readonly SpokenRow[]): GroupRow[] {
  const groups: SpokenRow[][] = [];
  for (const piece of pieces.filter(({ text, start, end }) => text.trim() !== '' && end > start)) {
    const group = groups.at(-1);
    if (group && belongs(group, piece)) group.push(piece);
    else groups.push([piece]);
  }
  return groups.map((segments) => newGroup(segments));
}

export function newGroup(segments: readonly SpokenRow[], places?: { start: number; end: number }): GroupRow {
  const start = places?.start ?? segments[0]?.start ?? 0;
  const end = places?.end ?? segments.at(-1)?.end ?? start;
  return GroupRow.parse({ kind: 'group', uuid: randomUUID(), segments: [...segments], start, end });
}

function belongs(group: readonly SpokenRow[], next: SpokenRow): boolean {
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last) return false;
  const gap = next.start - last.end;
  // A dash is how a change of speakers is written.
  if (gap >= dividingSeconds || /^[-–—]/.test(next.text.trim())) return false;
  const text = joinTexts([...group.map((piece) => piece.text), next.text]);
  if (next.end - first.start > longestSeconds || text.length > longestCharacters) return false;
  const isSentence = /[.!?…。！？]["'”’)]*$/.test(last.text.trim());
  return !(isSentence && gap >= sentenceSeconds && last.end - first.start >= shortestSeconds);
}
