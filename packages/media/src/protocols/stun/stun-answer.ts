import type { StunCheck } from './stun-check.ts';
import { writeStun } from './stun-check.ts';

const bindingSuccess = 0x0101;
const xorMappedAddress = 0x0020;
const cookie = Buffer.from('2112a442', 'hex');

/** The answer to a check that was proved: where it came from (RFC 8489, 14.2), four or sixteen octets and a port. */
export function writeStunAnswer(check: StunCheck, address: Buffer, port: number, password: string): Buffer {
  const mask = Buffer.concat([cookie, check.transactionId]);
  const value = Buffer.alloc(4 + address.length);
  value[1] = address.length === 4 ? 1 : 2;
  value.writeUInt16BE(port ^ cookie.readUInt16BE(0), 2);
  for (const [index, octet] of address.entries()) value[4 + index] = octet ^ (mask[index] ?? 0);
  return writeStun(bindingSuccess, check.transactionId, [[xorMappedAddress, value]], password);
}
