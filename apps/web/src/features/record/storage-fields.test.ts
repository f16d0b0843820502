import { expect, it } from 'vitest';
import { invalidAmounts, parseStorageRule, toStorageFields } from './storage-fields.ts';

const fields = { floor: '', quota: '', keepDays: '', keep: '', atLimit: 'stop', keepSegments: false } as const;

it('parses gigabytes with a point or a comma, and empty as no limit', () => {
  expect(parseStorageRule({ ...fields, quota: '1,5', keep: ' 20 ', keepDays: '30' })).toEqual({
    floorBytes: 0,
    quotaBytes: 1_500_000_000,
    keepDays: 30,
    keepBytes: 20_000_000_000,
    atLimit: 'stop',
    keepSegments: false,
  });
});

it('finds the fields with invalid amounts', () => {
  expect(invalidAmounts({ ...fields, floor: '-1', quota: 'much', keepDays: '1.5', keep: '3' })).toEqual([
    'floor',
    'quota',
    'keepDays',
  ]);
  expect(invalidAmounts({ ...fields, floor: '1000001', keepDays: '36501' })).toEqual(['floor', 'keepDays']);
  expect(invalidAmounts({ ...fields, floor: '1000000', keepDays: '36500' })).toEqual([]);
});

it('shows a saved storage rule unchanged', () => {
  const choices = { atLimit: 'delete-oldest', keepSegments: true } as const;
  const typed = { floor: '2', quota: '0.25', keepDays: '7', keep: '', ...choices };
  expect(toStorageFields(parseStorageRule(typed))).toEqual(typed);
});
