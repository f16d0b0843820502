import type { DubbingGroup } from '@weir/contract';
import { type EditField, fieldText, normalizeText } from './edit-field.ts';

/** Groups that became others: in another number, or with other texts of AI's. */
export interface Regrouping {
  readonly before: readonly DubbingGroup[];
  readonly after: readonly DubbingGroup[];
}

/** How many neighbours a group is before and after it, and how far before it the first of them stands. */
const sizes = {
  split: { before: 1, after: 2, back: 0 },
  mergeNext: { before: 2, after: 1, back: 0 },
  mergePrevious: { before: 2, after: 1, back: 1 },
  rephrase: { before: 1, after: 1, back: 0 },
  again: { before: 1, after: 1, back: 0 },
} as const;

/** What came of doing this to a group; undefined: nothing did. */
export function findRegrouping(groups: Regrouping, uuid: string, action: keyof typeof sizes): Regrouping | undefined {
  const size = sizes[action];
  const [from, is] = [indexOfGroup(groups.before, uuid) - size.back, indexOfGroup(groups.after, uuid)];
  if (from < 0 || is < 0) return undefined;
  const before = groups.before.slice(from, from + size.before);
  const after = groups.after.slice(is, is + size.after);
  const hasCome = after.some((one) => indexOfGroup(groups.before, one.uuid) < 0);
  const hasGone = before.some((one) => indexOfGroup(groups.after, one.uuid) < 0);
  const saysElse = size.before === size.after && aiTexts(before) !== aiTexts(after);
  return hasCome || hasGone || saysElse ? { before, after } : undefined;
}

function aiTexts(groups: readonly DubbingGroup[]): string {
  return JSON.stringify(groups.map(({ translated, rephrased }) => [translated, rephrased]));
}

function indexOfGroup(groups: readonly DubbingGroup[], uuid: string): number {
  return groups.findIndex((group) => group.uuid === uuid);
}

/** These groups as they are now; undefined: one is gone, or somebody wrote or moved something in it since. What AI made since is nobody's. */
export function findUnchanged(
  groups: readonly DubbingGroup[],
  known: readonly DubbingGroup[],
): readonly DubbingGroup[] | undefined {
  const present = known.flatMap((was) => groups.filter((now) => now.uuid === was.uuid && isUnedited(now, was)));
  return present.length === known.length ? present : undefined;
}

function isUnedited(now: DubbingGroup, was: DubbingGroup): boolean {
  const isSame = (field: EditField) => normalizeText(fieldText(now, field)) === normalizeText(fieldText(was, field));
  return (['text', 'start', 'end'] as const).every(isSame) && (now.translated === was.translated || !now.corrected);
}
