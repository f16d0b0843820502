/** Without leading zeros, which some programs read as octal. */
const byte = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const ipv4 = new RegExp(`^${byte}(?:\\.${byte}){3}$`);
const mappedIpv4 = new RegExp(`^::ffff:(${byte}(?:\\.${byte}){3})$`, 'i');
/** Other spellings of the same: `::ffff:c000:201`, or with its zeros written out. */
const perhapsMapped = /^[0:]+:ffff:/i;

export function isIpv4(text: string): boolean {
  return ipv4.test(text);
}

/** The eight numbers of an IPv6 address in any spelling, without its zone; undefined of anything else. */
export function ipv6Groups(text: string): number[] | undefined {
  if (!text.includes(':')) return undefined;
  const [address = ''] = text.split('%');
  const [head = '', tail, more] = address.split('::');
  if (more !== undefined) return undefined;
  const front = groupsOf(head, tail === undefined);
  const back = groupsOf(tail ?? '', true);
  const missing = 8 - front.length - back.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...front, ...new Array<number>(missing).fill(0), ...back];
  return groups.includes(Number.NaN) ? undefined : groups;
}

/** NaN for invalid groups. An IPv4 address may replace the last two. */
function groupsOf(text: string, isEnd: boolean): number[] {
  if (text === '') return [];
  const parts = text.split(':');
  return parts.flatMap((part, index) => {
    if (isEnd && index === parts.length - 1 && isIpv4(part)) return ipv4Groups(part);
    return /^[0-9a-f]{1,4}$/i.test(part) ? Number.parseInt(part, 16) : Number.NaN;
  });
}

function ipv4Groups(address: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return [(a << 8) | b, (c << 8) | d];
}

/** On a socket of both families an IPv4 peer appears as `::ffff:192.0.2.1`. */
export function plainAddress(address: string): string {
  const mapped = mappedIpv4.exec(address)?.[1];
  if (mapped !== undefined || !perhapsMapped.test(address)) return mapped ?? address;
  return embeddedIpv4(ipv6Groups(address) ?? [], mappedPrefix) ?? address;
}

const mappedPrefix = [0, 0, 0, 0, 0, 0xffff];
const translatedPrefix = [0x64, 0xff9b, 0, 0, 0, 0];

/** The IPv4 address that a translator (RFC 6052) shows as one of IPv6; undefined of any other. */
export function translatedIpv4(groups: readonly number[]): string | undefined {
  return embeddedIpv4(groups, translatedPrefix);
}

function embeddedIpv4(groups: readonly number[], prefix: readonly number[]): string | undefined {
  const [high, low] = groups.slice(prefix.length);
  if (high === undefined || low === undefined || prefix.some((group, at) => groups[at] !== group)) return undefined;
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** True for loopback addresses, which no other machine can reach. */
export function isLoopback(address: string): boolean {
  if (isIpv4(address)) return address.startsWith('127.');
  const groups = ipv6Groups(address);
  if (!groups || groups.slice(0, 5).some((group) => group !== 0)) return false;
  const [, , , , , sixth = 0, high = 0, low = 0] = groups;
  return sixth === 0xffff ? high >> 8 === 127 : sixth === 0 && high === 0 && low === 1;
}

/** The same of the host of an address, which may be a name. Names below localhost lead nowhere else (RFC 6761, 6.3). */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '');
  return name === 'localhost' || name.endsWith('.localhost') || isLoopback(name);
}
