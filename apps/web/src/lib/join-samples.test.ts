import type { SampleTable } from '@weir/streams';
import { expect, it } from 'vitest';
import { joinSamples } from './join-samples.ts';

const table = (...at: number[]) => ({ at, columns: { fps: at.map((one) => one / 1000) } });

it('appends newer samples', () => {
  expect(joinSamples(undefined, table(1000, 2000))).toEqual(table(1000, 2000));
  expect(joinSamples(table(1000, 2000), table(3000))).toEqual(table(1000, 2000, 3000));
  expect(joinSamples(table(1000), table())).toEqual(table(1000));
});

it('drops duplicate samples', () => {
  expect(joinSamples(table(1000, 2000), table(1000, 2000, 3000))).toEqual(table(1000, 2000, 3000));
  expect(joinSamples(table(3000), table(1000, 2000))).toEqual(table(3000));
});

it('drops samples older than five minutes', () => {
  expect(joinSamples(table(1000, 2000), table(302_000))).toEqual(table(302_000));
  expect(joinSamples(table(1000, 2001), table(302_000))).toEqual(table(2001, 302_000));
});

it('fills a new column with null', () => {
  const older: SampleTable = { at: [1000], columns: {} };
  expect(joinSamples(older, table(2000))).toEqual({ at: [1000, 2000], columns: { fps: [null, 2] } });
});
