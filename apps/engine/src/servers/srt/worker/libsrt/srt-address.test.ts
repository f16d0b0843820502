import { describe, expect, it } from 'vitest';
import { readSocketAddress, writeSocketAddress } from './srt-address.ts';

describe('an SRT socket address', () => {
  it.each(['127.0.0.1', '203.0.113.255', '::', '::1', '2001:db8::8:800:200c:417a', 'fe80::1'])(
    'of %s is read back as it was written',
    (address) => {
      expect(readSocketAddress(writeSocketAddress(address, 10080))).toEqual({ address, port: 10080 });
    },
  );

  it('shows an IPv4-mapped IPv6 address as IPv4', () => {
    expect(readSocketAddress(writeSocketAddress('::ffff:192.0.2.7', 9))).toEqual({ address: '192.0.2.7', port: 9 });
  });
});
