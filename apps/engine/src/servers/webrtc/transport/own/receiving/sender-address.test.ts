import fc from 'fast-check';
import { expect, it } from 'vitest';
import { socketAddress } from '../sending/socket-address.ts';
import { senderAddress } from './sender-address.ts';

it.each(['127.0.0.1', '203.0.113.9', '::1', 'fd00::2', '2001:db8:0:1::ff', '::ffff:192.0.2.1', 'fe80::1'])(
  'reads %s in the format of the system',
  (address) => {
    expect(senderAddress(socketAddress(address, 8000))).toEqual({ address, port: 8000 });
  },
);

it('returns nothing when there is no address', () => {
  const six = socketAddress('::1', 1);
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(1), Buffer.alloc(28), six.subarray(0, 27)])
    expect(senderAddress(bytes)).toBeUndefined();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (octets) => {
      senderAddress(Buffer.from(octets));
    }),
  );
});
