import { randomUUID } from 'node:crypto';
import type { KnownGroup } from '@weir/contract';
import { joinTexts } from '../../../speech/join-texts.ts';
import { refusal } from '../refusal.ts';
import { sourceText } from './group-text.ts';
import { newGroup } from './grouping.ts';
import type { GroupRow, SpokenRow } from './rows.ts';

/** Empty results for a group whose text changed. */
const nothingMade = {
  translated: '',
  translatedOf: '',
  translatedAt: '',
  suggested: '',
  rephrased: '',
  rephrasedOf: '',
  rephrasedAt: '',
  shortenings: 0,
  voice: null,
  cause: null,
  failures: 0,
} as const;
/** Shorter than this nothing can be said. */
const leastSeconds = 0.3;

/** Merges two neighbours, texts and translations alike. */
export function merged(first: GroupRow, second: GroupRow): GroupRow {
  const segments = [...first.segments, ...second.segments];
  const isTranslated = first.translated !== '' && second.translated !== '';
  const text = sourceText({ segments });
  return {
    ...first,
    ...nothingMade,
    segments,
    end: Math.max(first.end, second.end),
    ...(isTranslated && {
      translated: joinTexts([first.translated, second.translated]),
      translatedOf: text,
      translatedAt: second.translatedAt,
    }),
  };
}

/** Two groups of one, the second from this second on. A piece that the cut goes through is divided at the nearest space. */
export function divided(group: GroupRow, at: number): [GroupRow, GroupRow] {
  if (at < group.start + leastSeconds || at > group.end - leastSeconds)
    throw refusal('split-ends', 'at: must be inside the group, not at its edges');
  const pieces = group.segments.flatMap((piece) => cutPiece(piece, at));
  const [before, after] = [pieces.filter((piece) => piece.end <= at), pieces.filter((piece) => piece.end > at)];
  if (before.length === 0 || after.length === 0)
    throw refusal('split-text', 'at: there is no text before or after this time');
  return [{ ...group, ...nothingMade, segments: before, end: at }, newGroup(after, { start: at, end: group.end })];
}

function cutPiece(piece: SpokenRow, at: number): SpokenRow[] {
  const { start, end, text } = piece;
  if (at <= start || at >= end) return [piece];
  const wanted = (text.length * (at - start)) / (end - start);
  const spaces = [...text.matchAll(/\s+/g)].map(({ index }) => index);
  // Languages that write without spaces are cut between two signs.
  const places = spaces.length > 0 ? spaces : Array.from({ length: Math.max(0, text.length - 1) }, (_, n) => n + 1);
  const cut = places.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0];
  if (cut === undefined) return [piece];
  const [left, right] = [text.slice(0, cut).trim(), text.slice(cut).trim()];
  if (left === '' || right === '') return [piece];
  return [
    { ...piece, end: at, text: left },
    { ...piece, uuid: randomUUID(), start: at, text: right },
  ];
}

interface Edit {
  readonly text?: string | undefined;
  readonly translated?: string | undefined;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

interface Around {
  readonly before: GroupRow | undefined;
  readonly after: GroupRow | undefined;
  readonly filmSeconds: number;
  readonly now: string;
}

/** Applies an owner's edit to a group. Results of changed inputs are removed; typed texts stay. */
export function edited(group: GroupRow, edit: Edit, { before, after, filmSeconds, now }: Around): GroupRow {
  const text = edit.text?.replace(/\s+/g, ' ').trim();
  const translated = edit.translated?.replace(/\s+/g, ' ').trim();
  if (text === '') throw refusal('empty-text', 'text: must not be empty; merge the group with another instead');
  let next: GroupRow = { ...group, cause: null, failures: 0 };
  if (text !== undefined && text !== sourceText(group)) {
    const [first] = group.segments;
    const whole = { ...(first as SpokenRow), start: group.start, end: group.end, text };
    next = { ...next, ...nothingMade, segments: [whole] };
  }
  if (translated !== undefined && translated !== next.translated) {
    const made = translated === '' ? {} : { translated, translatedOf: sourceText(next), translatedAt: now };
    next = { ...next, ...nothingMade, suggested: next.suggested, ...made };
  }
  const [start, end] = [edit.start ?? group.start, edit.end ?? group.end];
  if (start === group.start && end === group.end) return next;
  const [least, most] = [before?.end ?? 0, after?.start ?? filmSeconds];
  if (end - start < leastSeconds || start < Math.min(least, group.start) || end > Math.max(most, group.end))
    throw refusal('place', 'start, end: the group must stay between its neighbors');
  // With another place there may be room again for what was shortened or hurried.
  return { ...next, start, end, shortenings: 0 };
}

/** Replaces groups with an earlier version: undo and redo of splitting and merging. */
export function regrouped(
  rows: readonly GroupRow[],
  known: readonly KnownGroup[],
  { before, after, filmSeconds, now }: Around,
): GroupRow[] {
  const [least, most] = [before?.end ?? 0, after?.start ?? filmSeconds];
  const from = Math.min(least, ...rows.map(({ start }) => start));
  const to = Math.max(most, ...rows.map(({ end }) => end));
  const isPlaced = known.every(({ start, end }, at) => {
    const isBehind = start > (known[at - 1]?.start ?? Number.NEGATIVE_INFINITY);
    return end > start && start >= from && end <= to && isBehind;
  });
  if (!isPlaced) throw refusal('place', 'known: the groups must stay between their neighbors');
  return known.map(({ uuid, segments, start, end, translated, rephrased }) => {
    const pieces = segments.map(({ original_start: partStart, ...piece }) => ({ ...piece, partStart }));
    const row = rows.find((one) => one.uuid === uuid) ?? newGroup(pieces);
    const said = { translated, translatedOf: sourceText({ segments: pieces }), translatedAt: now };
    const shortened = { rephrased, rephrasedOf: translated, rephrasedAt: now };
    return {
      ...row,
      ...nothingMade,
      uuid,
      segments: pieces,
      start,
      end,
      ...(translated !== '' && { ...said, ...(rephrased !== '' && shortened) }),
    };
  });
}
