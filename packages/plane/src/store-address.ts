import { isAbsolute } from 'node:path';

/** Location of the settings: the file in the data directory, or a Redis or Valkey that several machines can reach. */
export type StoreAddress = { readonly kind: 'sqlite' } | RedisAddress;

export interface RedisAddress {
  readonly kind: 'redis';
  readonly host: string;
  readonly port: number;
  readonly isEncrypted: boolean;
  /** File of the authority that vouches for the database, when the system does not know it; empty = the system's. */
  readonly authority: string;
  readonly user: string;
  readonly password: string;
  readonly database: number;
  /** Begins the name of each key, so that a database can be shared with others. */
  readonly prefix: string;
}

const parameters = ['prefix', 'ca'];

/** `sqlite`, or `redis://[user:password@]host[:port][/database][?prefix=…&ca=…]`; `rediss` is encrypted. */
export function parseStoreAddress(text: string): StoreAddress {
  if (text === 'sqlite') return { kind: 'sqlite' };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^rediss?:$/.test(url.protocol) || url.hostname === '')
    throw new Error('must be sqlite, or an address such as redis://:password@host:6379/0');
  const [, database] = /^\/?(\d{0,4})$/.exec(url.pathname) ?? [];
  if (database === undefined) throw new Error('the path must be the number of a database, such as /0');
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.includes(name));
  if (unknown !== undefined) throw new Error('may be followed by ?prefix= and &ca= only');
  const prefix = url.searchParams.get('prefix') ?? 'weir';
  if (!/^[\w.:-]{1,64}$/.test(prefix)) throw new Error('the prefix must be 1 to 64 letters, digits, or . : _ -');
  const authority = url.searchParams.get('ca') ?? '';
  if (authority !== '' && !isAbsolute(authority)) throw new Error('the ca must be the absolute path of a PEM file');
  return {
    kind: 'redis',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || 6379),
    isEncrypted: url.protocol === 'rediss:',
    authority,
    user: unescaped(url.username),
    password: unescaped(url.password),
    database: Number(database),
    prefix,
  };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('has a % in its user or password that must be written %25');
  }
}

/** Only scheme, host and port: whatever is asked there is asked at the same path. */
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
    help: 'Where settings are stored: `sqlite`, a file in the data directory, or `redis://…` ([shared settings](shared-settings.md))',
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
