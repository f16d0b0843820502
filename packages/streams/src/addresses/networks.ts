import { ipv6Groups, isIpv4, plainAddress, translatedIpv4 } from './ip-address.ts';

/**
 * Unit for counting peers: an IPv4 address, or the IPv6 network of an address with the given prefix length (a multiple
 * of 16). A household or server usually owns a whole /64, so counting single addresses would limit nothing.
 */
export function toNetwork(address: string, bits = 64): string {
  const plain = plainAddress(address);
  const groups = ipv6Groups(plain);
  if (!groups) return plain;
  // Behind a translator everybody with IPv4 has an address in one /64.
  const translated = translatedIpv4(groups);
  if (translated !== undefined) return translated;
  // Without leading zeros, so that one network has one name.
  return groups
    .slice(0, bits / 16)
    .map((group) => group.toString(16))
    .join(':');
}

/** The networks an address lies in, the narrowest first. What is no address is a network of its own. */
export interface Networks {
  /** Network of one household or server: an IPv4 address, an IPv6 /64. */
  readonly network: string;
  /** Network of one organisation, or cheap to rent: IPv4 /24, IPv6 /48. */
  readonly site: string;
  /** About one provider: IPv4 /16, IPv6 /32. */
  readonly region: string;
}

export function toNetworks(address: string): Networks {
  const network = toNetwork(address);
  if (!isIpv4(network)) return { network, site: toNetwork(address, 48), region: toNetwork(address, 32) };
  const [a, b, c] = network.split('.');
  return { network, site: `${a}.${b}.${c}`, region: `${a}.${b}` };
}
