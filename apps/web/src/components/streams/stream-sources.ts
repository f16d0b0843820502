import { streamAddresses } from '@weir/streams';
import type { PlayerSource } from '../player/session/player-source.ts';

/** Uses the page's own origin, so that port mappings and host names do not matter. */
export function pageAddresses(path: string) {
  return streamAddresses({ path, page: window.location, environment: { rtmpPort: '', srtPort: '', httpPort: '' } });
}

/** Sources for the console's player, best first; `query` contains the preview token. */
export function streamSources(path: string, { query = '', hasWhep = false } = {}): PlayerSource[] {
  const { whepUrl, flvUrl, m3u8Url } = pageAddresses(path);
  const withQuery = (url: string) => (query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`);
  return [
    ...(hasWhep ? [{ kind: 'whep', url: withQuery(whepUrl) } as const] : []),
    { kind: 'flv', url: withQuery(flvUrl) },
    { kind: 'hls', url: withQuery(m3u8Url) },
  ];
}
