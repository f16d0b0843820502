import { defaultVhost } from '@weir/dialect';

/** How this server is reached from itself. */
export interface OwnAddresses {
  /** In small letters, IPv6 without brackets. Loopback needs no mention. */
  readonly hosts: ReadonlySet<string>;
  readonly rtmpPorts: ReadonlySet<number>;
  readonly srtPorts: ReadonlySet<number>;
}

const usualRtmpPort = 1935;

/**
 * The stream of this server that a push to an address makes, as `vhost/app/name`; undefined when it goes elsewhere. An app
 * with slashes and a name with slashes look the same, which is all that comparing needs.
 */
export function ownPlaceOf(url: string, own: OwnAddresses): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname, port, pathname, search, hash } = new URL(url);
  if (!isOwnHost(hostname, own)) return undefined;
  if (protocol === 'srt:') {
    return own.srtPorts.has(Number(port)) ? srtPlace(`${search}${hash}`) : undefined;
  }
  const number = port === '' ? usualRtmpPort : Number(port);
  if (protocol !== 'rtmp:' || !own.rtmpPorts.has(number)) return undefined;
  return place(decoded(pathname), new URLSearchParams(search).get('vhost'));
}

export function isOwnHost(hostname: string, { hosts }: OwnAddresses): boolean {
  // Only addresses of the web are read as numbers are: 0x7f.1 and 2130706433 are 127.0.0.1 to a program that connects.
  const web = `http://${hostname}/`;
  const host = (URL.canParse(web) ? new URL(web).hostname : hostname).replace(/^\[|\]$/g, '').toLowerCase();
  return host === 'localhost' || host.endsWith('.localhost') || isLoopback(host) || hosts.has(host);
}

function isLoopback(host: string): boolean {
  return /^127\.\d+\.\d+\.\d+$/.test(host) || host === '::1' || host === '0.0.0.0' || /^::ffff:7f/.test(host);
}

/** `?streamid=#!::r=live/show?secret=…,m=publish`, with the `#` written either way; the plain form is a path. */
function srtPlace(text: string): string | undefined {
  const id = decoded(/[?&]streamid=([^&]*)/.exec(text)?.[1] ?? '');
  const resource = id.startsWith('#!::') ? /(?:::|,)r=([^,?]*)/.exec(id)?.[1] : id.split(/[?,]/)[0];
  if (!resource) return undefined;
  const path = resource.replace(/^\/+|\/+$/g, '');
  return place(path.includes('/') ? path : `live/${path}`, /[?,&]vhost=([^,&]*)/.exec(id)?.[1] ?? null);
}

function place(path: string, vhost: string | null): string {
  const parts = path.split('/').filter((part) => part !== '');
  return `${vhost || defaultVhost}/${parts.join('/')}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
