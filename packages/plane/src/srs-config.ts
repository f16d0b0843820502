import { type Listen, parseListen } from './config-values.ts';

/** A separate SRS that carries the media, and where it tells us what happens. */
export interface SrsConfig {
  /** Its HTTP API; may hold a name and a password. */
  readonly api: string;
  /** Its HTTP server, where FLV and HLS are. */
  readonly http: string;
  /** Where its hooks reach the control plane. */
  readonly hooks: Listen;
}

/** What an operator says about it; rows of the list of all variables. */
export const srsVariables = {
  WEIR_ENGINE: {
    fallback: 'embedded',
    help: 'What carries the media: the engine of this server, or a separate SRS ([how](srs.md))',
    parse: parseEngine,
  },
  WEIR_SRS_API: {
    fallback: 'http://127.0.0.1:1985',
    help: 'HTTP API of that SRS, with `name:password@` where it asks for them',
    isSecret: true,
    parse: parseSrsAddress,
  },
  WEIR_SRS_HTTP: {
    fallback: 'http://127.0.0.1:8080',
    help: 'HTTP server of that SRS, where its FLV and HLS are',
    parse: parseSrsAddress,
  },
  WEIR_SRS_HOOKS: {
    fallback: '127.0.0.1:2025',
    help: 'Where that SRS reaches Weir with its hooks, as `port` or `address:port`',
    parse: parseListen,
  },
} as const;

type SrsValues = { [Name in keyof typeof srsVariables]: ReturnType<(typeof srsVariables)[Name]['parse']> };

/** Undefined where this server carries the media itself. */
export function srsConfigOf(values: SrsValues): SrsConfig | undefined {
  if (values.WEIR_ENGINE === 'embedded') return undefined;
  return { api: values.WEIR_SRS_API, http: values.WEIR_SRS_HTTP, hooks: values.WEIR_SRS_HOOKS };
}

function parseEngine(value: string): 'embedded' | 'srs' {
  if (value === 'embedded' || value === 'srs') return value;
  throw new Error('must be one of embedded, srs');
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
export function srsHostOf(address: string): string {
  return new URL(address).hostname.replace(/^\[|\]$/g, '');
}
