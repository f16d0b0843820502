import { networkInterfaces } from 'node:os';

/** Each takes a socket. */
const most = 32;

/**
 * The addresses of a machine that has several of one kind. A datagram that came to one of them must be answered from it, and
 * the system would choose another.
 */
export function severalAddresses(): string[] {
  const own = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80'));
  const groups = Map.groupBy(own, ({ family }) => family);
  const several = [...groups.values()].filter((group) => group.length > 1);
  return several.flatMap((group) => group.map(({ address }) => address)).slice(0, most);
}
