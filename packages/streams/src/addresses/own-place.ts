import { parseSrtStreamId } from '../srt-stream-id.ts';
import { defaultVhost, placeText } from '../stream-place.ts';
import { decodedText } from './decoded-text.ts';
import { isLoopbackHost } from './ip-address.ts';

/** Addresses at which this server reaches itself. */
export interface OwnAddresses {
  /** In small letters, IPv6 without brackets. Loopback needs no mention. */
  readonly hosts: ReadonlySet<string>;
  readonly rtmpPorts: ReadonlySet<number>;
  readonly srtPorts: ReadonlySet<number>;
  readonly httpPorts: ReadonlySet<number>;
  readonly httpsPorts: ReadonlySet<number>;
}

export type OwnProtocol = 'rtmp' | 'srt' | 'http';

/** By their schemes: what an address reaches here, and where it goes without a port. */
const schemes: Readonly<
  Record<string, { protocol: OwnProtocol; port: number; ports: (own: OwnAddresses) => ReadonlySet<number> }>
> = {
  'rtmp:': { protocol: 'rtmp', port: 1935, ports: (own) => own.rtmpPorts },
  'srt:': { protocol: 'srt', port: 0, ports: (own) => own.srtPorts },
  'http:': { protocol: 'http', port: 80, ports: (own) => own.httpPorts },
  'https:': { protocol: 'http', port: 443, ports: (own) => own.httpsPorts },
};

/**
 * The stream of this server that a push to an address makes, as `vhost/app/name`; undefined when it goes elsewhere. An app
 * with slashes and a name with slashes look the same, which is all that comparing context.
 */
export function findOwnPlace(url: string, own: OwnAddresses): string | undefined {
  const protocol = findOwnProtocol(url, own);
  return protocol === undefined || protocol === 'http' ? undefined : parsePlaces(url)[0];
}

/** Protocol by which an address reaches this server; undefined if it leads elsewhere. `hosts`: the typed one and its resolved addresses. */
export function findOwnProtocol(url: string, own: OwnAddresses, hosts?: readonly string[]): OwnProtocol | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, port } = new URL(url);
  const scheme = schemes[protocol];
  if (!scheme?.ports(own).has(port === '' ? scheme.port : Number(port))) return undefined;
  return (hosts ?? [hostname]).some((host) => isOwnHost(host, own)) ? scheme.protocol : undefined;
}

/**
 * The stream that an address means to a server like this one, as `vhost/app/name`. Two where it cannot be told: a playlist may
 * be of the low-latency form, or of a stream whose name ends like one.
 */
export function parsePlaces(url: string): string[] {
  const { protocol, pathname, search, hash } = new URL(url);
  if (protocol === 'srt:') return [srtPlace(`${search}${hash}`)].filter((found) => found !== undefined);
  const vhost = new URLSearchParams(search).get('vhost');
  const path = decodedText(pathname) ?? pathname;
  if (protocol === 'rtmp:') return [place(path, vhost)];
  const [, stem, low = ''] = /^(.*?)(\.ll)?\.m3u8$/s.exec(path) ?? /^(.*)\.flv$/s.exec(path) ?? [];
  if (stem === undefined) return [];
  return (low === '' ? [stem] : [stem, `${stem}${low}`]).map((text) => place(text, vhost));
}

/** True if the host of an address is this machine. */
export function isOwnHost(hostname: string, { hosts }: OwnAddresses): boolean {
  // Only addresses of the web are read as numbers are: 0x7f.1 and 2130706433 are 127.0.0.1 to a program that connects.
  const web = `http://${hostname}/`;
  const host = (URL.canParse(web) ? new URL(web).hostname : hostname).replace(/^\[|\]$/g, '').toLowerCase();
  // Connecting to an unspecified address reaches this machine.
  return isLoopbackHost(host) || host === '0.0.0.0' || hosts.has(host);
}

/** `?streamid=#!::r=live/show?secret=…,m=publish`, with the `#` written either way. */
function srtPlace(text: string): string | undefined {
  const [, id = ''] = /[?&]streamid=([^&]*)/.exec(text) ?? [];
  const asked = parseSrtStreamId(decodedText(id) ?? id);
  return asked && placeText({ ...asked, stream: asked.name });
}

function place(path: string, vhost: string | null): string {
  const parts = path.split('/').filter((part) => part !== '');
  return `${vhost || defaultVhost}/${parts.join('/')}`;
}
