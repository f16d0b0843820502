import { expect, it } from 'vitest';
import { formatConnection, parseConnection } from './private-headers.ts';

it('a connection is parsed as it was written, mapped addresses as IPv4', () => {
  const connection = { peer: { address: '::1', port: 50_000 }, own: { address: '2001:db8::7', port: 2022 } };
  expect(parseConnection(formatConnection(connection))).toEqual(connection);
  const mapped = { peer: { address: '::ffff:127.0.0.1', port: 1 }, own: { address: '127.0.0.1', port: 2 } };
  expect(formatConnection(mapped)).toBe('[127.0.0.1]:1 [127.0.0.1]:2');
});

it.each([
  '',
  '[127.0.0.1]:1',
  '[]:0 []:0',
  '[x]:1 [127.0.0.1]:2',
  '127.0.0.1:1 127.0.0.1:2',
  '[::1]:1 [::1]:2 [::1]:3',
])('no connection is parsed from %j', (text) => {
  expect(parseConnection(text)).toBeUndefined();
});
