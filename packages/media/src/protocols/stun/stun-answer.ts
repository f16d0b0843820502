import { type StunCheck, writeStun } from './stun-check.ts';

const bindingRequest = 0x0001;
const bindingSuccess = 0x0101;
const attribute = { username: 0x0006, xorMappedAddress: 0x0020, priority: 0x0024, controlled: 0x8029 } as const;
const cookie = Buffer.from('2112a442', 'hex');
/** Priority of a peer-reflexive candidate (RFC 8445, 7.1.1). */
const priority = Buffer.from('6effffff', 'hex');

/** The answer to a check that was proved: where it came from (RFC 8489, 14.2), four or sixteen octets and a port. */
export function writeStunAnswer(check: StunCheck, address: Buffer, port: number, password: string): Buffer {
  const mask = Buffer.concat([cookie, check.transactionId]);
  const value = Buffer.alloc(4 + address.length);
  value[1] = address.length === 4 ? 1 : 2;
  value.writeUInt16BE(port ^ cookie.readUInt16BE(0), 2);
  for (const [index, octet] of address.entries()) value[4 + index] = octet ^ (mask[index] ?? 0);
  return writeStun(bindingSuccess, check.transactionId, [[attribute.xorMappedAddress, value]], password);
}

interface OwnCheck {
  readonly transactionId: Buffer;
  readonly localUfrag: string;
  readonly remoteUfrag: string;
  readonly remotePwd: string;
}

/** A check of ours, as the controlled side sends it: only who is there can answer. */
export function writeStunCheck({ transactionId, localUfrag, remoteUfrag, remotePwd }: OwnCheck): Buffer {
  const attributes: [number, Buffer][] = [
    [attribute.username, Buffer.from(`${remoteUfrag}:${localUfrag}`)],
    [attribute.controlled, transactionId.subarray(0, 8)],
    [attribute.priority, priority],
  ];
  return writeStun(bindingRequest, transactionId, attributes, remotePwd);
}
