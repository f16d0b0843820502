import { expect, it } from 'vitest';
import { ageOf } from './data-age.tsx';

it.each([
  [0, 50_000, undefined],
  [10_000, 10_500, undefined],
  [10_000, 12_000, undefined],
  [10_000, 12_001, 2],
  [10_000, 19_900, 9],
  // A clock that was set back makes nothing old.
  [10_000, 9000, undefined],
])('numbers of %i are at %i old by %s seconds', (updatedAt, now, expected) => {
  expect(ageOf(updatedAt, now)).toBe(expected);
});
