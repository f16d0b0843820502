import { defaultVhost, isUsableName, parseVhost } from './stream-place.ts';

/**
 * Mode of a caller. The keyed form without `m` means `request` (SRT access control); the plain form has none, and
 * `unsupported` is a mode we do not serve.
 */
type SrtMode = 'publish' | 'request' | 'unsaid' | 'unsupported';

export interface SrtStreamId {
  readonly mode: SrtMode;
  readonly vhost: string;
  readonly app: string;
  readonly name: string;
  /** Remaining parameters as a query without a question mark: `latency=20&secret=…`. */
  readonly param: string;
}

type Pair = readonly [key: string, value: string];

/** Limit of the protocol. */
const maxLength = 512;
const keyedPrefix = '#!::';
const usualApp = 'live';
/** Default for a caller that names no stream, as in SRS. */
const usualPath = 'live/livestream';

/**
 * The stream that a stream id names; undefined when it names none. The forms are
 *
 *     #!::r=app/stream,m=publish    #!::r=app/stream?secret=S,m=publish    #!::h=host,r=app/stream,m=request
 *     #!::h=host/app/stream,m=…     app/stream                             app/stream?secret=S
 *
 * Commas, question marks and ampersands all end a value, wherever they stand.
 */
export function parseSrtStreamId(id: string): SrtStreamId | undefined {
  const text = id.length > maxLength ? undefined : decoded(id);
  if (text === undefined || /\p{Cc}/u.test(text)) return undefined;
  return text.startsWith(keyedPrefix) ? parseKeyed(text.slice(keyedPrefix.length)) : parsePlain(text);
}

/**
 * The keyed form of an id: `#!::r=app/name,key=value,m=mode`. The name may carry a query. What ends a value is not encoded, because
 * nobody would decode it: callers must not put such names there.
 */
export function srtStreamId(
  { app, name }: { readonly app: string; readonly name: string },
  mode: 'publish' | 'request',
  more: Readonly<Record<string, string>> = {},
): string {
  const pairs = Object.entries(more).map(([key, value]) => `,${key}=${value}`);
  return `${keyedPrefix}r=${app}/${name}${pairs.join('')},m=${mode}`;
}

/** Many programs send the id as it stands in an address, where `#` has to be written `%23`, and some write `/` so too. */
function decoded(id: string): string | undefined {
  const isEncoded = /^%23(!|%21)/.test(id) || (/%2f/i.test(id) && !id.includes('/'));
  if (!isEncoded) return id;
  try {
    return decodeURIComponent(id);
  } catch {
    return undefined;
  }
}

function parsePlain(text: string): SrtStreamId | undefined {
  const [path = '', ...rest] = text.split(/[?,&]/);
  return address(path === '' ? usualPath : path, 'unsaid', rest.map(pairOf), undefined);
}

function parseKeyed(text: string): SrtStreamId | undefined {
  const pairs = text
    .split(/[?,&]/)
    .filter((part) => part !== '')
    .map(pairOf);
  const [resource, host, mode] = ['r', 'h', 'm'].map((key) => pairs.filter((pair) => pair[0] === key));
  // Two different values would be ambiguous.
  if (!resource || !host || !mode || resource.length > 1 || host.length > 1 || mode.length > 1) return undefined;
  const place = placeOf(resource[0]?.[1], host[0]?.[1]);
  const others = pairs.filter(([key]) => key !== 'r' && key !== 'h' && key !== 'm');
  return place && address(place.path, modeOf(mode[0]?.[1]), others, place.host);
}

/** Programs that know no `r` put the path behind the host; with two parts only, those are app and stream. */
function placeOf(resource: string | undefined, host: string | undefined) {
  if (resource !== undefined) return host?.includes('/') ? undefined : { path: resource, host };
  const parts = (host ?? '').split('/');
  if (parts.length < 2) return undefined;
  return parts.length === 2
    ? { path: parts.join('/'), host: undefined }
    : { path: parts.slice(1).join('/'), host: parts[0] };
}

function modeOf(value: string | undefined): SrtMode {
  const mode = value?.toLowerCase() ?? 'request';
  return mode === 'publish' || mode === 'request' ? mode : 'unsupported';
}

/**
 * `h` is the host a caller dialled, like the host of an HTTP request: it is handed on in the parameters, but does not
 * move the stream to a vhost of its own, where players of other protocols would not find it. `vhost=` does.
 */
function address(
  path: string,
  mode: SrtMode,
  others: readonly Pair[],
  host: string | undefined,
): SrtStreamId | undefined {
  const trimmed = path.replace(/^\/+/, '').replace(/\/$/, '');
  const slash = trimmed.lastIndexOf('/');
  const app = slash < 0 ? usualApp : trimmed.slice(0, slash);
  const name = trimmed.slice(slash + 1);
  if (!isUsableName(app) || !isUsableName(name)) return undefined;
  const vhost = parseVhost(queryOf(others)) ?? defaultVhost;
  return { mode, vhost, app, name, param: queryOf(host ? [...others, ['h', host]] : others) };
}

/** In the order of the keys, with `h` where it sorts and under the name that hooks know. */
function queryOf(pairs: readonly Pair[]): string {
  return pairs
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([key, value]) => (value === '' && key !== 'h' ? key : `${key === 'h' ? 'vhost' : key}=${value}`))
    .join('&');
}

function pairOf(part: string): Pair {
  const mark = part.indexOf('=');
  return mark < 0 ? [part, ''] : [part.slice(0, mark), part.slice(mark + 1)];
}
