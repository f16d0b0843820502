import { ConfigError, type Listen, parseListen } from './config-values.ts';

/** A separate SRS that carries the media, and where it tells us what happens. */
export interface SrsConfig {
  /** SRS origins, one or several that share the streams. Calls that need only one go to the first. */
  readonly origins: readonly [SrsOriginConfig, ...SrsOriginConfig[]];
  /** URL at which SRS's hooks reach the control plane. */
  readonly hooks: Listen;
}

interface SrsOriginConfig {
  /** Address of the HTTP API; may hold a user name and a password. */
  readonly api: string;
  /** Address of the HTTP server for FLV and HLS. */
  readonly http: string;
}

const mostOrigins = 16;

/** Environment variables about a separate SRS. */
export const srsVariables = {
  WEIR_ENGINE: {
    fallback: 'embedded',
    help: 'Media server: `embedded`, the built-in engine, or `srs`, a separate [SRS](srs.md)',
    parse: parseEngine,
  },
  WEIR_SRS_API: {
    fallback: 'http://127.0.0.1:1985',
    help: 'HTTP API of that SRS, with `name:password@` if it requires them; for an origin cluster, all of them, comma-separated',
    isSecret: true,
    parse: parseSrsAddresses,
  },
  WEIR_SRS_HTTP: {
    fallback: 'http://127.0.0.1:8080',
    help: 'HTTP server of that SRS, for its FLV and HLS; for an origin cluster, all of them in the same order',
    parse: parseSrsAddresses,
  },
  WEIR_SRS_HOOKS: {
    fallback: '127.0.0.1:2025',
    help: 'Where Weir receives the hooks of that SRS, as `port` or `address:port`',
    parse: parseListen,
  },
} as const;

type SrsValues = { [Name in keyof typeof srsVariables]: ReturnType<(typeof srsVariables)[Name]['parse']> };

/** Undefined where this server carries the media itself. */
export function parseSrsConfig(values: SrsValues): SrsConfig | undefined {
  if (values.WEIR_ENGINE === 'embedded') return undefined;
  const [apis, servers] = [values.WEIR_SRS_API, values.WEIR_SRS_HTTP];
  const [first, ...others] = apis.map((api, at) => ({ api, http: servers[at] ?? '' }));
  if (!first || apis.length !== servers.length)
    throw new ConfigError('WEIR_SRS_HTTP: must have as many addresses as WEIR_SRS_API');
  return { origins: [first, ...others], hooks: values.WEIR_SRS_HOOKS };
}

function parseEngine(value: string): 'embedded' | 'srs' {
  if (value === 'embedded' || value === 'srs') return value;
  throw new Error('must be one of embedded, srs');
}

function parseSrsAddresses(value: string): string[] {
  const addresses = value.split(',').map((part) => parseSrsAddress(part.trim()));
  if (addresses.length > mostOrigins) throw new Error(`must be ${mostOrigins} addresses at most`);
  return addresses;
}

/** An address of SRS: http, a host and maybe a port, nothing behind them. */
function parseSrsAddress(value: string): string {
  const complaint = 'must be an http:// address without a path';
  if (!URL.canParse(value)) throw new Error(complaint);
  const { protocol, hostname, pathname, search, hash } = new URL(value);
  if (protocol !== 'http:' || hostname === '' || pathname !== '/' || search !== '' || hash !== '') {
    throw new Error(complaint);
  }
  return value.replace(/\/$/, '');
}

/** Host of an address, as a program dials it: an IPv6 address without its brackets. */
export function parseSrsHost(address: string): string {
  return new URL(address).hostname.replace(/^\[|\]$/g, '');
}
