import { readAddress, type SourceRefusal } from '../components/player/session/player-source.ts';
import { authority, extraParameters, hostOf, pathText, portOf } from './page-parameters.ts';

type RtcCall = 'whep' | 'whip';

const own = [
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

/** The address a WHIP or WHEP page begins with, from the parts in its own address. */
export function rtcRequest(page: URL, call: RtcCall): RtcRequest {
  const query = page.searchParams;
  const { server, host, app, stream } = partsOf(page);
  const path = /^\/[\w./-]{0,200}$/.test(query.get('path') ?? '') ? query.get('path') : `/rtc/v1/${call}/`;
  const vhost = query.get('vhost') ?? query.get('domain') ?? server;
  const schema = query.get('schema');
  const parameters = new URLSearchParams({ app, stream });
  if (vhost !== server) parameters.set('vhost', vhost);
  if (schema !== null && `${schema}:` !== page.protocol) parameters.set('schema', schema);
  for (const [name, value] of extraParameters(query, own)) parameters.append(name, value);
  return { address: `${page.protocol}//${host}${path}?${parameters}`, autoStart: query.get('autostart') === 'true' };
}

/** The same in the older form of `rtc_player.html` and `rtc_publisher.html`: `webrtc://host/app/stream`. */
export function olderRtcRequest(page: URL): RtcRequest {
  const query = page.searchParams;
  const { host, app, stream } = partsOf(page);
  const extras = new URLSearchParams(extraParameters(query, own));
  const search = extras.size === 0 ? '' : `?${extras}`;
  return {
    address: `webrtc://${host}/${pathText(app)}/${pathText(stream)}${search}`,
    autoStart: query.get('autostart') === 'true',
  };
}

/** Where to send the offer. An address that is not for this call would answer with something else. */
export function readRtcAddress(
  text: string,
  page: URL,
  call: RtcCall,
): { readonly url: URL } | { readonly refusal: SourceRefusal | 'path' } {
  if (text.trim() === '') return { refusal: 'empty' };
  const read = readAddress(text.trim(), page, `/rtc/v1/${call}/`);
  if ('refusal' in read) return read;
  return read.url.pathname.includes(`/${call}/`) ? read : { refusal: 'path' };
}

/** Our server takes calls where its pages are; another one where SRS does. */
function partsOf(page: URL): { server: string; host: string; app: string; stream: string } {
  const query = page.searchParams;
  const server = hostOf(query.get('server'), page.hostname);
  const usual = page.protocol === 'https:' ? '1990' : '1985';
  const port = portOf(query.get('api')) ?? (server === page.hostname ? page.port : usual);
  return {
    server,
    host: authority(page.protocol, server, port),
    app: query.get('app') || 'live',
    stream: query.get('stream') || 'livestream',
  };
}
