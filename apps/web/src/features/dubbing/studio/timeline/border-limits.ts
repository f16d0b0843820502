import type { DubbingGroup } from '@weir/contract';
import type { BorderField } from '../groups/edit-field.ts';

/** Shorter than this nothing can be said. */
const leastSeconds = 0.3;

/** From where to where a border can be moved: groups keep their order, and some length. */
export function borderLimits(
  groups: readonly DubbingGroup[],
  group: DubbingGroup,
  border: BorderField,
  videoSeconds: number,
): { least: number; most: number } {
  const [before, after] = [groups[group.id - 1], groups[group.id + 1]];
  if (border === 'start') return { least: Math.min(before?.end ?? 0, group.start), most: group.end - leastSeconds };
  return { least: group.start + leastSeconds, most: Math.max(after?.start ?? videoSeconds, group.end) };
}
