import type { DubbingGroup } from '@weir/contract';
import { expect, it } from 'vitest';
import { group, task } from '../dubbing.fixture.ts';
import { mergeTask, taskGroups } from './task-query.ts';

const before = task({ cursor: 'a-5' }, [group(0), group(1), group(2)]);
const changes = (groups: DubbingGroup[], order: string[] | null = null) =>
  task({ since: 'a-5', cursor: 'a-6', order, percent: 40 }, groups);

it('merges changed groups and keeps the others as the same objects', () => {
  const merged = mergeTask(before, changes([group(1, { translated: 'Neu' })]));
  expect(taskGroups(merged).map(({ translated }) => translated)).toEqual(['Satz 0', 'Neu', 'Satz 2']);
  expect(taskGroups(merged)[2]).toBe(taskGroups(before)[2]);
  expect(merged).toMatchObject({ cursor: 'a-6', percent: 40 });
  expect(taskGroups(mergeTask(before, changes([])))).toBe(taskGroups(before));
});

it('renumbers groups after some were added or removed', () => {
  const merged = mergeTask(before, changes([group(1, { uuid: 'new' })], ['group-0', 'new', 'group-1', 'group-2']));
  expect(taskGroups(merged).map(({ id, uuid }) => [id, uuid])).toEqual([
    [0, 'group-0'],
    [1, 'new'],
    [2, 'group-1'],
    [3, 'group-2'],
  ]);
  expect(taskGroups(mergeTask(before, changes([], ['group-2'])))).toMatchObject([{ uuid: 'group-2', id: 0 }]);
});

it('rejects a response that follows another state', () => {
  expect(mergeTask({ ...before, cursor: 'a-4' }, changes([]))).toBeUndefined();
  expect(mergeTask(undefined, changes([]))).toBeUndefined();
  expect(mergeTask(before, changes([], ['group-0', 'unknown']))).toBeUndefined();
  const whole = task({ cursor: 'b-1' }, [group(0)]);
  expect(mergeTask(before, whole)).toBe(whole);
});
