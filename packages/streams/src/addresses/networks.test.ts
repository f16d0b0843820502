import { expect, it } from 'vitest';
import { toNetwork, toNetworks } from './networks.ts';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:FFFF:203.0.113.7', '203.0.113.7'],
  ['0000:0000:0000:0000:0000:ffff:cb00:7107', '203.0.113.7'],
  ['::ffff:0:203.0.113.7', '0:0:0:0'],
  ['64:ff9b::203.0.113.7', '203.0.113.7'],
  ['64:ff9b::cb00:7107', '203.0.113.7'],
  ['64:ff9b:1::203.0.113.7', '64:ff9b:1:0'],
  ['1:2:3:4:5:6:203.0.113.7', '1:2:3:4'],
  ['', ''],
  ['not an address', 'not an address'],
])('counts %j as %j', (address, network) => {
  expect(toNetwork(address)).toBe(network);
});

it('uses a wider network on request', () => {
  expect(toNetwork('2001:db8:1:2:3:4:5:6', 32)).toBe('2001:db8');
  expect(toNetwork('203.0.113.7', 32)).toBe('203.0.113.7');
});

it.each([
  ['an IPv4 address', '192.0.2.17', '192.0.2.17', '192.0.2', '192.0'],
  ['an IPv4 address in IPv6 clothes', '::ffff:192.0.2.17', '192.0.2.17', '192.0.2', '192.0'],
  ['an IPv4 address behind a translator', '64:ff9b::c000:211', '192.0.2.17', '192.0.2', '192.0'],
  ['an IPv6 address', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2', '2001:db8:1', '2001:db8'],
  ['an IPv6 address with a zone', 'fe80::1%eth0', 'fe80:0:0:0', 'fe80:0:0', 'fe80:0'],
  ['what is no address', 'unknown', 'unknown', 'unknown', 'unknown'],
])('names the networks around %s', (_name, address, network, site, region) => {
  expect(toNetworks(address)).toEqual({ network, site, region });
});
