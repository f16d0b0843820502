import { BlockList, isIPv4, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ipv6Groups, isIpv4, isLoopback, isLoopbackHost, plainAddress } from './ip-address.ts';

const byte = fc.integer({ min: 0, max: 300 }).map(String);
const dotted = fc.array(fc.oneof(byte, fc.constantFrom('01', '', 'a')), { minLength: 3, maxLength: 5 });
const anyIpv4 = fc.oneof(
  fc.ipV4(),
  dotted.map((parts) => parts.join('.')),
);
const anyIpv6 = fc.oneof(
  fc.ipV6(),
  fc.array(fc.constantFrom('0', 'ffff', '12345', 'x', '::', ':', ':1', '1.2.3.4', 'f:')).map((parts) => parts.join('')),
);

describe('an IP address', () => {
  it('is valid when Node says so', () => {
    fc.assert(
      fc.property(anyIpv4, (text) => isIpv4(text) === isIPv4(text)),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(anyIpv6, (text) => (ipv6Groups(text) !== undefined) === isIPv6(text)),
      { numRuns: 5000 },
    );
  });

  it.each([
    ['::', [0, 0, 0, 0, 0, 0, 0, 0]],
    ['2001:db8::1', [0x2001, 0xdb8, 0, 0, 0, 0, 0, 1]],
    ['1:2:3:4:5:6:7:8', [1, 2, 3, 4, 5, 6, 7, 8]],
    ['::FFFF:192.0.2.1', [0, 0, 0, 0, 0, 0xffff, 0xc000, 0x0201]],
    ['fe80::1%eth0', [0xfe80, 0, 0, 0, 0, 0, 0, 1]],
    ['1:2:3:4:5:6:7::', [1, 2, 3, 4, 5, 6, 7, 0]],
    ['1:2:3:4:5:6:7::8', undefined],
    ['::1::', undefined],
    ['1.2.3.4::', undefined],
    ['192.0.2.1', undefined],
    ['', undefined],
  ])('%s has the groups %j', (address, groups) => {
    expect(ipv6Groups(address)).toEqual(groups);
  });

  it.each([
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:127.0.0.1', '127.0.0.1'],
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['', ''],
  ])('%s is shortened to %s', (address, plain) => {
    expect(plainAddress(address)).toBe(plain);
  });
});

describe('isLoopback', () => {
  it.each(['127.0.0.1', '127.9.9.9', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::ffff:7f00:1'])(
    'accepts %s',
    (address) => {
      expect(isLoopback(address)).toBe(true);
    },
  );

  it.each(['128.0.0.1', '10.0.0.1', '0.0.0.0', '::', '::2', '1::1', '::7f00:1', '127.0.0.1.evil.test', '127.1', ''])(
    'rejects %s',
    (address) => {
      expect(isLoopback(address)).toBe(false);
    },
  );

  it('agrees with the loopback range of the system', () => {
    const list = new BlockList();
    list.addSubnet('127.0.0.0', 8, 'ipv4');
    list.addAddress('::1', 'ipv6');
    const mapped = fc.ipV4().map((address) => `::ffff:${address}`);
    const near = fc.ipV4().map((address) => address.replace(/^\d+/, '127'));
    fc.assert(fc.property(fc.oneof(near, fc.ipV4()), (address) => isLoopback(address) === list.check(address, 'ipv4')));
    fc.assert(
      fc.property(fc.oneof(fc.ipV6(), mapped), (address) => isLoopback(address) === list.check(address, 'ipv6')),
    );
  });

  it.each([
    ['localhost', true],
    ['LOCALHOST', true],
    ['studio.localhost', true],
    ['[::1]', true],
    ['127.0.0.2', true],
    ['localhost.evil.test', false],
    ['notlocalhost', false],
    ['example.com', false],
  ])('of the host %s is %s', (host, expected) => {
    expect(isLoopbackHost(host)).toBe(expected);
  });
});
