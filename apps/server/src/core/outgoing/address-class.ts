import { BlockList, isIP, isIPv4 } from 'node:net';
import { ipv6Groups } from '@weir/streams';

/**
 * Class of an address. `own`: this machine or a private network. `never`: link-local, cloud metadata services, and
 * addresses of no single machine.
 */
type AddressClass = 'public' | 'own' | 'never';

const never = blockList([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '192.88.99.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Alibaba's and Azure's own services on every machine; the others live in link-local.
  '100.100.100.200/32',
  '168.63.129.16/32',
  '::/128',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
  'fd00:ec2::254/128',
  // Tunnels and translations to addresses that cannot be seen from here.
  '2001::/23',
  '64:ff9b:1::/48',
]);

const own = blockList([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '198.18.0.0/15',
  '::1/128',
  'fc00::/7',
]);

/** Classifies an address as the system writes it. Anything else is `never`. */
export function classifyAddress(address: string): AddressClass {
  const family = isIP(address);
  if (family === 0) return 'never';
  const inner = family === 6 ? embeddedIpv4(address) : undefined;
  if (inner !== undefined) return classifyAddress(inner);
  const kind = family === 6 ? 'ipv6' : 'ipv4';
  if (never.check(address, kind)) return 'never';
  return own.check(address, kind) ? 'own' : 'public';
}

/** The IPv4 address that an IPv6 one stands for: mapped, compatible, translated (RFC 6052) and 6to4. */
function embeddedIpv4(address: string): string | undefined {
  const words = ipv6Groups(address) ?? [];
  const [first = 0, second = 0, third = 0] = words;
  const high = words.slice(0, 5).every((word) => word === 0);
  const last = dotted(words[6], words[7]);
  // `::` and `::1` are addresses of their own.
  if (high && words[5] === 0) return words[6] === 0 && (words[7] ?? 0) <= 1 ? undefined : last;
  if (high && words[5] === 0xffff) return last;
  // ::ffff:0:a.b.c.d, of an older way to translate.
  if (words.slice(0, 4).every((word) => word === 0) && words[4] === 0xffff && words[5] === 0) return last;
  if (first === 0x64 && second === 0xff9b && words.slice(2, 6).every((word) => word === 0)) return last;
  if (first === 0x2002) return dotted(second, third);
  return undefined;
}

function dotted(high = 0, low = 0): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), isIPv4(address) ? 'ipv4' : 'ipv6');
  }
  return list;
}
