import { expect, it } from 'vitest';
import { maskParam } from './mask-param.ts';

it.each([
  ['', ''],
  ['?secret=abc', '?secret=***'],
  ['secret=abc', 'secret=***'],
  ['app=live&stream=show&secret=abc&eip=1.2.3.4', 'app=live&stream=show&secret=***&eip=1.2.3.4'],
  ['?user=ann&SECRET=abc&Token=x', '?user=ann&SECRET=***&Token=***'],
  ['?a=1?secret=abc', '?a=1?secret=***'],
  ['m=publish,secret=abc', 'm=publish,secret=***'],
  ['?%73ecret=abc', '?%73ecret=***'],
  ['?secret=a=b', '?secret=***'],
  ['?secret', '?secret'],
  ['?%zz=1', '?%zz=1'],
])('masks %j as %j', (param, shown) => {
  expect(maskParam(param)).toBe(shown);
});
