import type { DubbingGroup } from '@weir/contract';
import { type EditField, fieldText, normalizeText } from './edit-field.ts';

/** Groups before and after a split, a merge, or new texts by AI. */
export interface Regrouping {
  readonly before: readonly DubbingGroup[];
  readonly after: readonly DubbingGroup[];
}

/** Number of groups before and after each action, and how many places before the target the first one is. */
const sizes = {
  split: { before: 1, after: 2, back: 0 },
  mergeNext: { before: 2, after: 1, back: 0 },
  mergePrevious: { before: 2, after: 1, back: 1 },
  rephrase: { before: 1, after: 1, back: 0 },
  again: { before: 1, after: 1, back: 0 },
} as const;

/** Compares the groups around the target of an action; undefined = nothing changed. */
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

/**
 * Returns the current state of these groups; undefined if one is gone or was edited since. Changes by AI do not count
 * as edits.
 */
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
