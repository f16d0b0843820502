import type { SampleTable } from '@weir/dialect';
import { expect, it } from 'vitest';
import { joinSamples } from './join-samples.ts';

const table = (...at: number[]) => ({ at, columns: { fps: at.map((one) => one / 1000) } });

it('what is new follows what was known', () => {
  expect(joinSamples(undefined, table(1000, 2000))).toEqual(table(1000, 2000));
  expect(joinSamples(table(1000, 2000), table(3000))).toEqual(table(1000, 2000, 3000));
  expect(joinSamples(table(1000), table())).toEqual(table(1000));
});

it('a second that came twice is there once', () => {
  expect(joinSamples(table(1000, 2000), table(1000, 2000, 3000))).toEqual(table(1000, 2000, 3000));
  expect(joinSamples(table(3000), table(1000, 2000))).toEqual(table(3000));
});

it('what is older than five minutes goes', () => {
  expect(joinSamples(table(1000, 2000), table(302_000))).toEqual(table(302_000));
  expect(joinSamples(table(1000, 2001), table(302_000))).toEqual(table(2001, 302_000));
});

it('a column that is new has no value before', () => {
  const older: SampleTable = { at: [1000], columns: {} };
  expect(joinSamples(older, table(2000))).toEqual({ at: [1000, 2000], columns: { fps: [null, 2] } });
});
