import { expect, it } from 'vitest';
import { descriptorLimit } from './descriptors.ts';

it.each([
  [
    'Limit                     Soft Limit           Hard Limit           Units\nMax open files            4096                 20000   files\n',
    4096,
  ],
  ['Max open files            unlimited            unlimited            files\n', Number.POSITIVE_INFINITY],
  ['Max open files            ?\n', 1024],
  ['', 1024],
])('reads %j as %d', (text, limit) => {
  expect(descriptorLimit(() => text)).toBe(limit);
});

it('uses the default limit where there is nothing to read', () => {
  const none = () => {
    throw new Error('no such file');
  };
  expect(descriptorLimit(none)).toBe(1024);
  expect(descriptorLimit()).toBeGreaterThan(0);
});
