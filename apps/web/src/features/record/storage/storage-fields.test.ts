import { expect, it } from 'vitest';
import { fieldsOf, ruleOf } from './storage-fields.ts';

const fields = { floor: '', quota: '', keepDays: '', keep: '', atLimit: 'stop', keepSegments: false } as const;

it('takes gigabytes with a point or a comma, and nothing for no limit', () => {
  expect(ruleOf({ ...fields, quota: '1,5', keep: ' 20 ', keepDays: '30' })).toEqual({
    floorBytes: 0,
    quotaBytes: 1_500_000_000,
    keepDays: 30,
    keepBytes: 20_000_000_000,
    atLimit: 'stop',
    keepSegments: false,
  });
});

it('names the fields that are no amounts', () => {
  expect(ruleOf({ ...fields, floor: '-1', quota: 'much', keepDays: '1.5', keep: '3' })).toEqual({
    wrong: ['floor', 'quota', 'keepDays'],
  });
});

it('shows what it saved', () => {
  const choices = { atLimit: 'delete-oldest', keepSegments: true } as const;
  const typed = { floor: '2', quota: '0.25', keepDays: '7', keep: '', ...choices };
  const rule = ruleOf(typed);
  expect('wrong' in rule ? rule : fieldsOf(rule)).toEqual(typed);
});
