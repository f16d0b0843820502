import type { HeaderList } from './failures.ts';

/** Lifetime of a preflight; only Firefox keeps it longer than two hours. */
const preflightSeconds = '7200';
/** Origin as browsers write it: scheme, host and port, or `null` for an opaque origin. */
const origin = /^(?:null|[a-z][a-z0-9+.-]{0,31}:\/\/[A-Za-z0-9._:[\]-]{1,255})$/;
const headerNames = /^[A-Za-z0-9!#$%&'*+.^_`|~, -]{1,1024}$/;

/** Returns an origin that is safe in an answer; undefined for anything else. */
export function readOrigin(text: string | undefined): string | undefined {
  return text !== undefined && origin.test(text) ? text : undefined;
}

/** Headers for pages and the API: any site may call, and the browser adds no authority. */
export const openCors: HeaderList = corsHeaders('*', '*');

/**
 * For media. Some sites send their cookies with everything that their players ask for, and browsers refuse `*` to those (Fetch standard,
 * 3.3.4): the origin is named. There is no cookie of ours that could give such a site more than others.
 */
export function mediaCors(from: string | undefined): HeaderList {
  const headers = from === undefined ? openCors : [...corsHeaders(from, '*'), ...credentials];
  return [...headers, 'Vary', 'Origin'];
}

/** `*` covers neither Authorization nor requests with cookies, so such clients get the headers by name. */
export function preflightCors(asked: { from: string | undefined; headers: string | undefined }): HeaderList {
  const { from, headers: names = '' } = asked;
  const isNamed = headerNames.test(names);
  const maxAge = ['Access-Control-Max-Age', preflightSeconds];
  if (from !== undefined) {
    const named = ['Vary', 'Origin, Access-Control-Request-Headers'];
    return [
      ...corsHeaders(from, isNamed ? names : '*', 'GET, HEAD, POST, PATCH, DELETE'),
      ...credentials,
      ...maxAge,
      ...named,
    ];
  }
  const requestsAuthorization = names.split(',').some((name) => name.trim().toLowerCase() === 'authorization');
  return [...corsHeaders('*', requestsAuthorization ? '*, Authorization' : '*'), ...maxAge];
}

const credentials = ['Access-Control-Allow-Credentials', 'true'];

function corsHeaders(from: string, allowedHeaders: string, methods = '*'): string[] {
  return [
    'Access-Control-Allow-Origin',
    from,
    'Access-Control-Allow-Headers',
    allowedHeaders,
    'Access-Control-Allow-Methods',
    methods,
    'Access-Control-Expose-Headers',
    from === '*' ? '*' : '*, Age, Content-Range, Date, ETag, Location',
  ];
}
