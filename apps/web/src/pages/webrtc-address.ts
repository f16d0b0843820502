import { parseMediaUrl, type SourceRefusal } from '../components/player/session/player-source.ts';
import { encodePath, extraParameters, formatAuthority, parseHost, parsePort } from './page-parameters.ts';

type RtcCall = 'whep' | 'whip';

const ownParameters = [
  'server',
  'vhost',
  'domain',
  'app',
  'stream',
  'api',
  'port',
  'schema',
  'path',
  'autostart',
  'lang',
  'url',
  'buffer',
  'api_port',
  'shp_identify',
];

export interface RtcRequest {
  readonly address: string;
  readonly autoStart: boolean;
}

/** Builds the initial address of a WHIP or WHEP page from its parameters. */
export function parseRtcRequest(page: URL, call: RtcCall): RtcRequest {
  const query = page.searchParams;
  const { server, host, app, stream } = parseParts(page);
  const path = /^\/[\w./-]{0,200}$/.test(query.get('path') ?? '') ? query.get('path') : `/rtc/v1/${call}/`;
  const vhost = query.get('vhost') ?? query.get('domain') ?? server;
  const schema = query.get('schema');
  const parameters = new URLSearchParams({ app, stream });
  if (vhost !== server) parameters.set('vhost', vhost);
  if (schema !== null && `${schema}:` !== page.protocol) parameters.set('schema', schema);
  for (const [name, value] of extraParameters(query, ownParameters)) parameters.append(name, value);
  return { address: `${page.protocol}//${host}${path}?${parameters}`, autoStart: query.get('autostart') === 'true' };
}

/** Older form of `rtc_player.html` and `rtc_publisher.html`: `webrtc://host/app/stream`. */
export function parseOlderRtcRequest(page: URL): RtcRequest {
  const query = page.searchParams;
  const { host, app, stream } = parseParts(page);
  const extras = new URLSearchParams(extraParameters(query, ownParameters));
  const search = extras.size === 0 ? '' : `?${extras}`;
  return {
    address: `webrtc://${host}/${encodePath(app)}/${encodePath(stream)}${search}`,
    autoStart: query.get('autostart') === 'true',
  };
}

/** Parses the URL for the SDP offer. Addresses of another call are rejected, because they answer with something else. */
export function parseRtcAddress(
  text: string,
  page: URL,
  call: RtcCall,
): { readonly url: URL } | { readonly refusal: SourceRefusal | 'path' } {
  if (text.trim() === '') return { refusal: 'empty' };
  const read = parseMediaUrl(text.trim(), page, `/rtc/v1/${call}/`);
  if ('refusal' in read) return read;
  return read.url.pathname.includes(`/${call}/`) ? read : { refusal: 'path' };
}

/** This server accepts calls on the page's port, SRS on 1985 (1990 for HTTPS). */
function parseParts(page: URL): { server: string; host: string; app: string; stream: string } {
  const query = page.searchParams;
  const server = parseHost(query.get('server'), page.hostname);
  const usual = page.protocol === 'https:' ? '1990' : '1985';
  const port = parsePort(query.get('api')) ?? (server === page.hostname ? page.port : usual);
  return {
    server,
    host: formatAuthority(page.protocol, server, port),
    app: query.get('app') || 'live',
    stream: query.get('stream') || 'livestream',
  };
}
