import { expect, it } from 'vitest';
import { checkOrder } from './order-check.ts';

const page = (hostname: string, port = '') => ({ hostname, port });
const good = 'live.example.com';
const label = 'a'.repeat(63);

it.each([page(good), page(good, '80'), page(good, '3000')])(
  'lets a page on port "$port" order its own certificate',
  (address) => {
    expect(checkOrder(good, address)).toBeUndefined();
  },
);

it.each([
  [good, page(good, '2022'), 'page-port'],
  ['', page('127.0.0.1', '2443'), 'page-port'],
  [good, page('127.0.0.1'), 'page-host'],
  [good, page('localhost', '3000'), 'page-host'],
  ['', page(good), 'empty'],
  ['not a domain', page(good), 'no-domain'],
  ['other.example.com', page(good), 'other-domain'],
])('refuses "%s" from %o', (domain, address, complaint) => {
  expect(checkOrder(domain, address)).toBe(complaint);
});

it.each(['example', '-a.com', 'a-.com', 'a..com', 'a.c', 'a.abcdefg', 'a.c0m', `${label}a.com`, 'ä.com', 'a.com.'])(
  'rejects %s as a domain',
  (domain) => expect(checkOrder(domain, page(good))).toBe('no-domain'),
);

it('limits labels to 63 and names to 253 characters', () => {
  const longest = `${label}.${label}.${label}.${'b'.repeat(58)}.co`;
  expect(longest).toHaveLength(253);
  expect(checkOrder(longest, page(longest))).toBeUndefined();
  expect(checkOrder(longest.replace('.co', 'b.co'), page(good))).toBe('no-domain');
});
