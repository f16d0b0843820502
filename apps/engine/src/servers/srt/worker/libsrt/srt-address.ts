import { ipv6Groups } from '@weir/streams';

interface InternetAddress {
  readonly address: string;
  readonly port: number;
}

const inet = 2;
/** Systems number IPv6 differently. */
const inet6 = { darwin: 30, freebsd: 28, win32: 23 }[process.platform as string] ?? 10;
/** BSD's first byte is the length; elsewhere the family has both. */
const hasLength = process.platform === 'darwin' || process.platform === 'freebsd';

/** `sockaddr_in` or `sockaddr_in6`: family, port, then `flow:32 address:128 scope:32` or `address:32`. */
export function writeSocketAddress(address: string, port: number): Buffer {
  const groups = ipv6Groups(address);
  const isV6 = groups !== undefined;
  const out = Buffer.alloc(isV6 ? 28 : 16);
  if (hasLength) out.writeUInt8(out.length, 0);
  if (hasLength) out.writeUInt8(isV6 ? inet6 : inet, 1);
  else out.writeUInt16LE(isV6 ? inet6 : inet, 0);
  out.writeUInt16BE(port, 2);
  if (groups) for (const [n, group] of groups.entries()) out.writeUInt16BE(group, 8 + 2 * n);
  else for (const [n, part] of address.split('.').entries()) out.writeUInt8(Number(part), 4 + n);
  return out;
}

export function readSocketAddress(bytes: Buffer): InternetAddress {
  const family = hasLength ? bytes.readUInt8(1) : bytes.readUInt16LE(0);
  const port = bytes.readUInt16BE(2);
  if (family === inet) return { address: bytes.subarray(4, 8).join('.'), port };
  if (family !== inet6) return { address: '', port: 0 };
  const groups = Array.from({ length: 8 }, (_, n) => bytes.readUInt16BE(8 + 2 * n));
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return { address: bytes.subarray(20, 24).join('.'), port };
  return { address: shortest(groups.map((group) => group.toString(16)).join(':')), port };
}

/** The one spelling that browsers use. */
function shortest(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}
