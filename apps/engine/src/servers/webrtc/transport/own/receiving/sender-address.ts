import { SocketAddress } from 'node:net';
import { networkInterfaces } from 'node:os';

const inet = 2;
const inet6 = 10;
const inetBytes = 16;
const inet6Bytes = 28;

export interface SenderAddress {
  readonly address: string;
  readonly port: number;
}

/** Converts an address of the system to the form of Node's sockets; undefined for other families. */
export function senderAddress(bytes: Buffer): SenderAddress | undefined {
  if (bytes.length < 2) return undefined;
  const family = bytes.readUInt16LE(0);
  if (family === inet && bytes.length >= inetBytes)
    return { address: bytes.subarray(4, 8).join('.'), port: bytes.readUInt16BE(2) };
  if (family !== inet6 || bytes.length < inet6Bytes) return undefined;
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(8 + index * 2).toString(16));
  // Normalises the address as the system does.
  const { address } = new SocketAddress({ address: groups.join(':'), family: 'ipv6' });
  const isOfLink = (bytes.readUInt16BE(8) & 0xffc0) === 0xfe80;
  const link = isOfLink ? linkOf(bytes.readUInt32LE(24)) : undefined;
  return { address: link === undefined ? address : `${address}%${link}`, port: bytes.readUInt16BE(2) };
}

function linkOf(scope: number): string | undefined {
  const all = Object.entries(networkInterfaces());
  return all.find(([, list]) => list?.some(({ scopeid }) => scopeid === scope && scope > 0))?.[0];
}
