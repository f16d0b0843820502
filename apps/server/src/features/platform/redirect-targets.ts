import { defaultHomepage } from '@weir/contract';

/** As a header may hold it: everything outside ASCII in its escaped form. */
function locationOf(address: string): string {
  if (!address.startsWith('/')) return new URL(address).href;
  const { pathname, search, hash } = new URL(address, 'http://here');
  return pathname + search + hash;
}

/** Where `/` leads. Only the way to the console takes the query along: a set-up link carries its code there. */
export function rootTarget(homepage: string, query: string): string {
  if (homepage !== defaultHomepage) return locationOf(homepage);
  return query === '' ? '/mgmt' : `/mgmt/?${query}`;
}

interface Wanted {
  readonly app: string;
  readonly stream: string;
  /** Without the question mark. */
  readonly query: string;
  readonly scheme: 'http' | 'https';
}

/** The host is always the administrator's; of the request come a path below it and the query. */
export function backendTarget(backend: string, { app, stream, query, scheme }: Wanted): string {
  const whole = /^https?:\/\//i.test(backend) ? backend : `${scheme}://${backend}`;
  const url = new URL(whole);
  if (!/\.(flv|m3u8)/.test(url.pathname)) {
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${encodeURIComponent(app)}/${encodeURIComponent(stream)}`;
  }
  if (query !== '') url.search = url.search === '' ? query : `${url.search.slice(1)}&${query}`;
  return url.href;
}
