import { networkInterfaces } from 'node:os';
import { ipv6Groups } from '@weir/streams';

const inet = 2;
const inet6 = 10;

/** Octets of an address as they are on the wire: four, or sixteen. */
export function parseAddressOctets(address: string): Buffer {
  const groups = ipv6Groups(address);
  if (!groups) return Buffer.from(address.split('.').map(Number));
  const octets = Buffer.alloc(16);
  for (const [index, group] of groups.entries()) octets.writeUInt16BE(group, index * 2);
  return octets;
}

/** Four octets also where a socket for both versions writes them as sixteen. */
export function parsePlainOctets(address: string): Buffer {
  const octets = parseAddressOctets(address);
  return octets.length === 16 && octets.readUIntBE(0, 6) === 0 && octets.readUIntBE(6, 6) === 0xffff
    ? octets.subarray(12)
    : octets;
}

/** Linux's `sockaddr_in`: family, port, address, nothing; or `sockaddr_in6`: family, port, flow, address, scope. */
export function socketAddress(address: string, port: number): Buffer {
  const octets = parseAddressOctets(address);
  const isSix = octets.length === 16;
  const out = Buffer.alloc(isSix ? 28 : 16);
  out.writeUInt16LE(isSix ? inet6 : inet, 0);
  out.writeUInt16BE(port, 2);
  octets.copy(out, isSix ? 8 : 4);
  // Addresses of a link are told apart by its name: fe80::1%eth0.
  const link = address.split('%')[1];
  if (isSix && link !== undefined) out.writeUInt32LE(scopeOf(link), 24);
  return out;
}

function scopeOf(link: string): number {
  return networkInterfaces()[link]?.find(({ scopeid }) => scopeid !== undefined && scopeid > 0)?.scopeid ?? 0;
}
