import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isLoopback, isLoopbackHost } from '@weir/streams';
import { classifyAddress } from './address-class.ts';
import { OutgoingError } from './outgoing-error.ts';

/**
 * Permission to connect to loopback and private addresses. `never`: refused. `typed`: only to an address that the
 * administrator entered as such (or localhost); a name that resolves to one is refused. `named`: names as well, but
 * this machine only by its own address or localhost. `allowed`: any name.
 */
export type OwnNetwork = 'never' | 'typed' | 'named' | 'allowed';

interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** A checked URL, with the only addresses that it may be connected to. */
export interface CheckedTarget {
  readonly url: URL;
  /** Host name; IPv6 addresses have no brackets. */
  readonly hostname: string;
  readonly addresses: readonly ResolvedAddress[];
}

export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>;

const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true });

/** Parses an address and checks its scheme and form, before it is resolved. */
export function parseTarget(text: string, base?: string): URL {
  if (!URL.canParse(text, base)) throw new OutgoingError('bad-url', 'not a valid URL');
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutgoingError('bad-url', 'only http and https URLs are allowed');
  }
  return url;
}

/**
 * Resolves a name once and checks every address. Connections use these addresses, so a name that resolves differently a moment later has no
 * effect. The URL parser has already turned 0x7f.1 and 2130706433 into 127.0.0.1.
 */
export async function checkTarget(
  url: URL,
  ownNetwork: OwnNetwork,
  resolve: Resolve = systemResolve,
): Promise<CheckedTarget> {
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(hostname);
  const addresses = family === 0 ? await resolveName(hostname, resolve) : [{ address: hostname, family }];
  const isTyped = family !== 0 || isLoopbackHost(hostname);
  for (const { address } of addresses) {
    const kind = classifyAddress(address);
    if (kind === 'never') {
      throw new OutgoingError('forbidden-address', 'link-local and reserved addresses are not allowed');
    }
    if (kind === 'own' && (ownNetwork === 'never' || (ownNetwork === 'typed' && !isTyped))) {
      throw new OutgoingError('own-network', 'the host name resolves to a private address, which is not allowed');
    }
    if (ownNetwork === 'named' && !isTyped && isLoopback(address)) {
      throw new OutgoingError('own-network', 'the host name resolves to this server, use localhost instead');
    }
  }
  return { url, hostname, addresses };
}

async function resolveName(hostname: string, resolve: Resolve): Promise<readonly ResolvedAddress[]> {
  const addresses = await resolve(hostname).catch((cause: unknown) => {
    throw new OutgoingError('unknown-name', 'the host name could not be resolved', { cause });
  });
  if (addresses.length === 0) throw new OutgoingError('unknown-name', 'the host name could not be resolved');
  return addresses;
}
