import { RecordStorageRule } from '@weir/contract';
import { describe, expect, it } from 'vitest';
import { forecast, freeSpaceFloor, planStorage, type Stored } from './storage-plan.ts';

const mb = 1024 ** 2;
const dayMs = 24 * 3600_000;
const nowMs = 1000 * dayMs;
const rule = (change: Partial<RecordStorageRule> = {}) => RecordStorageRule.parse(change);
const stored = (uuid: string, daysAgo: number, megabytes: number, isOver = true): Stored => ({
  uuid,
  startedAtMs: nowMs - (daysAgo + 1) * dayMs,
  endedAtMs: isOver ? nowMs - daysAgo * dayMs : 0,
  totalBytes: megabytes * mb,
  isOver,
});
const roomy = { freeBytes: 50_000 * mb, totalBytes: 100_000 * mb };
const three = [stored('old', 9, 100), stored('young', 1, 100), stored('running', 0, 100, false)];

it('keeps a twentieth of the disk free, at most 1 GiB, unless told otherwise', () => {
  expect(freeSpaceFloor(rule(), { freeBytes: 0, totalBytes: 64 * mb })).toBe(Math.floor(3.2 * mb));
  expect(freeSpaceFloor(rule(), roomy)).toBe(1024 * mb);
  expect(freeSpaceFloor(rule({ floorBytes: 7 }), roomy)).toBe(7);
});

describe('planStorage', () => {
  const base = { space: roomy, stored: three, isStopped: false, nowMs };

  it.each([
    ['no limit', {}, roomy, { remove: [], limit: '', mayRecord: true }],
    ['age', { keepDays: 5 }, roomy, { remove: ['old'], limit: '', mayRecord: true }],
    ['size', { keepBytes: 250 * mb }, roomy, { remove: ['old'], limit: '', mayRecord: true }],
    ['size, never what runs', { keepBytes: 1 }, roomy, { remove: ['old', 'young'], limit: '', mayRecord: true }],
    ['quota', { quotaBytes: 300 * mb }, roomy, { remove: [], limit: 'quota', mayRecord: false }],
    ['floor', {}, { ...roomy, freeBytes: 1023 * mb }, { remove: [], limit: 'floor', mayRecord: false }],
    [
      'quota, the oldest make room',
      { quotaBytes: 300 * mb, atLimit: 'delete-oldest' },
      roomy,
      { remove: ['old'], limit: 'quota', mayRecord: true },
    ],
    [
      'floor, the oldest make room',
      { atLimit: 'delete-oldest', floorBytes: 1000 * mb },
      { ...roomy, freeBytes: 950 * mb },
      { remove: ['old', 'young'], limit: 'floor', mayRecord: true },
    ],
    [
      'nothing left to delete',
      { atLimit: 'delete-oldest' },
      { ...roomy, freeBytes: 0 },
      { remove: ['old', 'young'], limit: 'floor', mayRecord: false },
    ],
  ] as const)('%s', (_title, change, space, expected) => {
    expect(planStorage({ ...base, rule: rule(change), space })).toEqual(expected);
  });

  it('resumes only with space to spare, or it would stop again at once', () => {
    const question = { ...base, rule: rule({ floorBytes: 1000 * mb }), space: { ...roomy, freeBytes: 1050 * mb } };
    expect(planStorage(question).mayRecord).toBe(true);
    expect(planStorage({ ...question, isStopped: true })).toMatchObject({ limit: 'floor', mayRecord: false });
    const space = { ...roomy, freeBytes: 1101 * mb };
    expect(planStorage({ ...question, space, isStopped: true }).mayRecord).toBe(true);
  });
});

describe('the storage forecast', () => {
  const daily = Array.from({ length: 7 }, (_, day) => stored(String(day), day, 1000));
  const space = { freeBytes: 11_024 * mb, totalBytes: 100_000 * mb };

  it('estimates when the disk will be full at the rate of the last week', () => {
    expect(forecast({ rule: rule(), space, stored: daily, nowMs })).toEqual({
      bytesPerDay: 1000 * mb,
      fullInDays: 10,
    });
    const quota = rule({ quotaBytes: 9000 * mb });
    expect(forecast({ rule: quota, space, stored: daily, nowMs }).fullInDays).toBe(2);
  });

  it.each([
    ['nothing is recorded', {}, []],
    ['old ones make room', { atLimit: 'delete-oldest' }, daily],
    ['old ones leave in time', { keepDays: 3 }, daily],
    ['the size is bounded', { keepBytes: 5000 * mb }, daily],
  ] as const)('reports never when %s', (_title, change, list) => {
    expect(forecast({ rule: rule(change), space, stored: list, nowMs }).fullInDays).toBeNull();
  });
});
