import { expect, it } from 'vitest';
import { findLoop, joinMadeFrom } from './stream-loops.ts';

it.each([
  [{ a: ['b'], b: ['c'] }, undefined],
  [{ a: ['a'] }, ['a', 'a']],
  [{ a: ['x', 'b'], b: ['c'], c: ['a'] }, ['a', 'b', 'c', 'a']],
  [{ a: ['b'], b: ['c'], c: ['b'] }, undefined],
])('a loop of %j is %j', (madeFrom, loop) => {
  expect(findLoop('a', new Map(Object.entries(madeFrom)))).toEqual(loop);
});

it('streams made from others are joined by their place', () => {
  const one = new Map([['a', ['b']]]);
  expect([
    ...joinMadeFrom(
      one,
      new Map([
        ['a', ['c']],
        ['d', ['e']],
      ]),
    ),
  ]).toEqual([
    ['a', ['b', 'c']],
    ['d', ['e']],
  ]);
});
