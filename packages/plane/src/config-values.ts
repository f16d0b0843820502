import { isIP } from 'node:net';

/** A value the operator set cannot be used. The message names the variable and says what would do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Listen address. Without a host: every address, IPv4 and IPv6. */
export interface Listen {
  readonly host: string | undefined;
  readonly port: number;
}

export function parseInteger(value: string, low: number, high: number): number {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= low && number <= high)) throw new Error(`must be a whole number from ${low} to ${high}`);
  return number;
}

/** `2022`, `:2022`, `127.0.0.1:2022` or `[::1]:2022`. Port 0 lets the system choose. */
export function parseListen(value: string): Listen {
  const match = /^(?:(?:\[([^\]]*)\]|([^:[\]]*)):)?(\d{1,5})$/.exec(value);
  const host = match?.[1] ?? match?.[2] ?? '';
  const port = Number(match?.[3] ?? Number.NaN);
  if (!(port <= 65535) || (host !== '' && isIP(host) === 0))
    throw new Error('must be a port, or an IP address and a port');
  return { host: host === '' ? undefined : host, port };
}

/** A name or an address, as it stands in a URL: an IPv6 address gets its brackets. */
export function parseHost(value: string): string {
  const host = isIP(value) === 6 ? `[${value}]` : value;
  const isHost = host === '' || (URL.canParse(`http://${host}/`) && new URL(`http://${host}/`).hostname === host);
  if (!isHost) throw new Error('must be a host name or an IP address, without a port');
  return host;
}

/** Processes beside the engine that send to viewers. */
export interface DeliveryWorkers {
  readonly most: number;
  /** True if they start when the engine is busy, false if with the first viewer. */
  readonly isByLoad: boolean;
}

const mostDeliveryWorkers = 64;

/** `auto` leaves a core for everything else. */
export function parseDeliveryWorkers(value: string, cores: number): DeliveryWorkers {
  if (value === 'auto') return { most: Math.min(cores - 1, mostDeliveryWorkers), isByLoad: true };
  return { most: parseInteger(value, 0, mostDeliveryWorkers), isByLoad: false };
}

/** libsrt's own bounds, in bytes. */
export function parsePassphrase(value: string): string {
  const bytes = Buffer.byteLength(value);
  if (value !== '' && (bytes < 10 || bytes > 79)) throw new Error('must have 10 to 79 characters');
  return value;
}

const acmeDirectories: ReadonlyMap<string, string> = new Map([
  ['letsencrypt', 'https://acme-v02.api.letsencrypt.org/directory'],
  ['staging', 'https://acme-staging-v02.api.letsencrypt.org/directory'],
]);

export function parseDirectory(value: string): string {
  const address = acmeDirectories.get(value) ?? value;
  if (!URL.canParse(address) || new URL(address).protocol !== 'https:')
    throw new Error('must be letsencrypt, staging or an https:// URL');
  return address;
}

export function parseUpdateUrl(value: string): string {
  if (value === '' || value === 'off') return value;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isPlain = url && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '' && url.hash === '';
  if (!isPlain) throw new Error('must be off or an http:// or https:// URL without a user name or query');
  return value.replace(/\/+$/, '');
}

export function parseMetrics(value: string): { readonly addresses: readonly string[] } | undefined {
  if (value === '') return undefined;
  return { addresses: value === 'bearer' ? [] : parseNetworks(value) };
}

export function parseNetworks(value: string): readonly string[] {
  const networks = value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  for (const network of networks) {
    const [address = '', prefix, ...rest] = network.split('/');
    const family = isIP(address);
    const longest = family === 6 ? 128 : 32;
    const prefixFits = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= longest);
    if (family === 0 || !prefixFits || rest.length > 0)
      throw new Error('must be addresses or networks such as 10.0.0.0/8');
  }
  return networks;
}
