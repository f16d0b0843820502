import type { DubbingGroup } from '@weir/contract';
import { clean, type EditField, textOf } from './edit-field.ts';

/** Groups that became others by being split or merged. */
export interface Regrouping {
  readonly before: readonly DubbingGroup[];
  readonly after: readonly DubbingGroup[];
}

/** What came of splitting or merging this group; undefined: nothing did. */
export function regroupingOf(
  groups: { readonly before: readonly DubbingGroup[]; readonly after: readonly DubbingGroup[] },
  uuid: string,
  action: 'mergeNext' | 'mergePrevious' | 'split',
): Regrouping | undefined {
  const [was, is] = [placeOf(groups.before, uuid), placeOf(groups.after, uuid)];
  const from = action === 'mergePrevious' ? was - 1 : was;
  if (from < 0 || is < 0) return undefined;
  const isSplit = action === 'split';
  const before = groups.before.slice(from, from + (isSplit ? 1 : 2));
  const after = groups.after.slice(is, is + (isSplit ? 2 : 1));
  const hasCome = after.some((one) => placeOf(groups.before, one.uuid) < 0);
  const hasGone = before.some((one) => placeOf(groups.after, one.uuid) < 0);
  return hasCome || hasGone ? { before, after } : undefined;
}

function placeOf(groups: readonly DubbingGroup[], uuid: string): number {
  return groups.findIndex((group) => group.uuid === uuid);
}

/** These groups as they are now; undefined: one is gone, or somebody wrote or moved something in it since. What AI made since is nobody's. */
export function presentOf(
  groups: readonly DubbingGroup[],
  known: readonly DubbingGroup[],
): readonly DubbingGroup[] | undefined {
  const present = known.flatMap((was) => groups.filter((now) => now.uuid === was.uuid && isStill(now, was)));
  return present.length === known.length ? present : undefined;
}

function isStill(now: DubbingGroup, was: DubbingGroup): boolean {
  const isSame = (field: EditField) => clean(textOf(now, field)) === clean(textOf(was, field));
  return (['text', 'start', 'end'] as const).every(isSame) && (now.translated === was.translated || !now.corrected);
}
