import { isIPv4, isIPv6 } from 'node:net';

/**
 * Who is counted as one: an IPv4 address, or the IPv6 network of so many bits (a multiple of 16) that an address belongs
 * to. One household or server usually owns a whole /64; counting single addresses there would count nothing.
 */
export function networkOf(address: string, bits = 64): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const plain = address.split('%')[0] ?? '';
  if (!isIPv6(plain)) return address;
  const [head = '', tail] = plain.split('::');
  const front = groupsOf(head);
  const back = groupsOf(tail ?? '');
  const gap = Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0');
  return [...front, ...gap, ...back].slice(0, bits / 16).join(':');
}

/** Without leading zeros, so that one network has one name. An IPv4 address at the end takes the place of two groups. */
function groupsOf(text: string): string[] {
  if (text === '') return [];
  return text
    .split(':')
    .flatMap((group) => (group.includes('.') ? ['0', '0'] : Number.parseInt(group, 16).toString(16)));
}

/** The networks an address lies in, the narrowest first. What is no address is a network of its own. */
export interface Networks {
  /** What one household or server owns: an IPv4 address, an IPv6 /64. */
  readonly network: string;
  /** What one organisation owns, or anybody rents for little: IPv4 /24, IPv6 /48. */
  readonly site: string;
  /** About one provider: IPv4 /16, IPv6 /32. */
  readonly region: string;
}

export function networksOf(address: string): Networks {
  const network = networkOf(address);
  if (!isIPv4(network)) return { network, site: networkOf(address, 48), region: networkOf(address, 32) };
  const [a, b, c] = network.split('.');
  return { network, site: `${a}.${b}.${c}`, region: `${a}.${b}` };
}
