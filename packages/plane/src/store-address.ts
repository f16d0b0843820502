import { isAbsolute } from 'node:path';

/** Location of the settings: the file in the data directory, or a Redis or Valkey that several machines can reach. */
export type StoreAddress = { readonly kind: 'sqlite' } | RedisAddress;

export interface RedisAddress {
  readonly kind: 'redis';
  /** `sentinel` and `cluster` name servers that know which server is the primary. */
  readonly topology: 'single' | 'sentinel' | 'cluster';
  readonly servers: readonly ServerAddress[];
  /** With Sentinel: name of the primary, and credentials for the Sentinels themselves. */
  readonly primaryName: string;
  readonly sentinelUser: string;
  readonly sentinelPassword: string;
  /** Undefined without encryption. */
  readonly tls: RedisTls | undefined;
  readonly user: string;
  readonly password: string;
  readonly database: number;
  /** Begins the name of each key, so that a database can be shared with others. */
  readonly prefix: string;
  /** Number of replicas that must have received a change before it counts as saved. */
  readonly replicas: number;
}

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** Paths of PEM files, and the name in the certificates; empty = the system's authorities, no certificate, the host. */
interface RedisTls {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  readonly servername: string;
}

const parameters = ['prefix', 'replicas', 'ca', 'cert', 'key', 'servername', 'sentinel-user', 'sentinel-password'];

const pattern = /^(rediss?)(?:\+(sentinel|cluster))?:\/\/(?:([^/?#]*)@)?([^/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/;

/** `sqlite`, or `redis://[user:password@]host[:port][/database][?prefix=…]`; docs/shared-settings.md lists all forms. */
export function parseStoreAddress(text: string): StoreAddress {
  if (text === 'sqlite') return { kind: 'sqlite' };
  const found = pattern.exec(text);
  if (found === null) throw new Error('must be sqlite, or an address such as redis://:password@host:6379/0');
  const [, scheme, several, credentials = '', hosts = '', path = '', query = ''] = found;
  const topology = several === 'sentinel' || several === 'cluster' ? several : 'single';
  const options = new URLSearchParams(query);
  if ([...options.keys()].some((name) => !parameters.includes(name)))
    throw new Error(`may be followed by these options only: ${parameters.join(', ')}`);
  const option = (name: string) => options.get(name) ?? '';
  const [user = '', ...password] = credentials.split(':');
  return {
    kind: 'redis',
    topology,
    servers: parseServers(hosts, topology),
    ...parsePath(path, topology),
    sentinelUser: option('sentinel-user'),
    sentinelPassword: option('sentinel-password'),
    tls: scheme === 'rediss' ? parseTls(option) : undefined,
    user: unescaped(user),
    password: unescaped(password.join(':')),
    prefix: parsePrefix(options.get('prefix') ?? 'weir', topology),
    replicas: parseReplicas(options.get('replicas') ?? (topology === 'single' ? '0' : '1')),
  };
}

function parseServers(hosts: string, topology: RedisAddress['topology']): ServerAddress[] {
  const servers = hosts.split(',').map((text) => {
    const [, v6, name, port = topology === 'sentinel' ? '26379' : '6379'] =
      /^(?:\[([\da-f:.]+)\]|([^\s:[\]]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
    const host = v6 ?? name;
    if (host === undefined || Number(port) < 1 || Number(port) > 65_535)
      throw new Error('must name each server as host or host:port, separated by commas');
    return { host, port: Number(port) };
  });
  if (servers.length > 1 && topology === 'single')
    throw new Error('must begin with redis+sentinel:// or redis+cluster:// to name several servers');
  return servers;
}

function parsePath(path: string, topology: RedisAddress['topology']): { primaryName: string; database: number } {
  const [, primaryName = '', database] =
    (topology === 'sentinel' ? /^([\w.-]+)(?:\/(\d{1,4}))?$/ : /^()(\d{1,4})?$/).exec(path) ?? [];
  if (topology === 'sentinel' && primaryName === '')
    throw new Error('the path must be the name of the primary that the Sentinels watch, such as /mymaster');
  if (database === undefined && topology !== 'sentinel' && path !== '')
    throw new Error('the path must be the number of a database, such as /0');
  if (topology === 'cluster' && Number(database ?? 0) !== 0) throw new Error('a cluster has only database 0');
  return { primaryName, database: Number(database ?? 0) };
}

function parsePrefix(prefix: string, topology: RedisAddress['topology']): string {
  if (!/^[\w.:-]{1,64}$/.test(prefix)) throw new Error('the prefix must be 1 to 64 letters, digits, or . : _ -');
  // A hash tag: scripts use several keys, which must be on the same server of a cluster.
  return topology === 'cluster' ? `{${prefix}}` : prefix;
}

function parseReplicas(text: string): number {
  if (!/^\d$/.test(text)) throw new Error('replicas must be a number from 0 to 9');
  return Number(text);
}

function parseTls(option: (name: string) => string): RedisTls {
  const [ca, cert, key] = [option('ca'), option('cert'), option('key')];
  for (const file of [ca, cert, key])
    if (file !== '' && !isAbsolute(file)) throw new Error('ca, cert and key must be absolute paths of PEM files');
  if ((cert === '') !== (key === '')) throw new Error('cert and key belong together');
  return { ca, cert, key, servername: option('servername') };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('has a % in its user or password that must be written %25');
  }
}

/** Only scheme, host and port: paths of requests stay the same. */
function parseNodeUrl(text: string): string {
  if (text === '') return '';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || `${url.origin}/` !== url.href)
    throw new Error('must be the http:// or https:// address of this server, without a path');
  return url.origin;
}

/** Environment variables about settings and files. */
export const storeVariables = {
  WEIR_STORE: {
    fallback: 'sqlite',
    help: 'Where settings are stored: `sqlite`, a file in the data directory, or `redis://…`, also with Sentinel or Cluster ([shared settings](shared-settings.md))',
    isSecret: true,
    parse: parseStoreAddress,
  },
  WEIR_NODE_URL: {
    fallback: '',
    help: 'URL at which the other server of a pair with shared settings reaches this one; empty = no other server',
    parse: parseNodeUrl,
  },
  WEIR_FILES: {
    fallback: '',
    help: 'Directory for recordings and other files, on storage that both servers of a pair mount; empty = the data directory',
    parse: (value: string) => value,
  },
} as const;
