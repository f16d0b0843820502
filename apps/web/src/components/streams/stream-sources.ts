import { streamAddresses } from '@weir/dialect';
import type { PlayerSource } from '../player/session/player-source.ts';

/** From the page's own server, so that no published port and no other name comes between. */
export function pageAddresses(path: string) {
  return streamAddresses({ path, page: window.location, environment: { rtmpPort: '', srtPort: '', httpPort: '' } });
}

/** How the console itself plays a stream, best first; `query` says that it is the console. */
export function streamSources(path: string, { query = '', hasWhep = false } = {}): PlayerSource[] {
  const { whepUrl, flvUrl, m3u8Url } = pageAddresses(path);
  const withQuery = (url: string) => (query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`);
  return [
    ...(hasWhep ? [{ kind: 'whep', url: withQuery(whepUrl) } as const] : []),
    { kind: 'flv', url: withQuery(flvUrl) },
    { kind: 'hls', url: withQuery(m3u8Url) },
  ];
}
