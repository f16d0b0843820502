import type { RecordedSource } from '../../components/player/recorded-player.tsx';
import type { PlayerSource } from '../../components/player/session/player-source.ts';
import { encodePath, extraParameters, formatAuthority, parseHost, parsePort } from '../page-parameters.ts';

/** What the page's own parameters are called; every other one belongs to the media address. */
const ownParameters = [
  'schema',
  'server',
  'vhost',
  'domain',
  'port',
  'app',
  'stream',
  'autostart',
  'buffer',
  'api_port',
  'shp_identify',
  'api',
  'path',
  'eip',
  'lang',
  'url',
];

/** What a player page is to play, as its address says. */
export interface PlayerRequest {
  readonly address: string;
  readonly autoStart: boolean;
}

/** `/tools/player.html?url=…`: the parameter is the address, and it plays at once. */
export function parseUrlRequest(page: URL): PlayerRequest {
  return { address: page.searchParams.get('url') ?? '', autoStart: true };
}

/** `/players/srs_player.html?app=…&stream=…`: the parts make the address. */
export function parsePartsRequest(page: URL): PlayerRequest {
  const query = page.searchParams;
  const autoStart = query.get('autostart') === 'true';
  const url = query.get('url');
  if (url !== null) return { address: url, autoStart };
  const schema = query.get('schema') ?? page.protocol.slice(0, -1);
  const protocol = /^(http|https|rtmp|webrtc)$/.test(schema) ? `${schema}:` : page.protocol;
  const server = parseHost(query.get('server'), page.hostname);
  const port = parsePort(query.get('port')) ?? usualPort(protocol, server, page);
  const app = encodePath(query.get('app') ?? '') || 'live';
  const stream = encodePath(withSuffix(query.get('stream') || 'livestream', protocol));
  const vhost = query.get('vhost') ?? query.get('domain') ?? server;
  const extras = new URLSearchParams(vhost === server ? [] : [['vhost', vhost]]);
  for (const [name, value] of extraParameters(query, ownParameters)) extras.append(name, value);
  const search = extras.size === 0 ? '' : `?${extras}`;
  return { address: `${protocol}//${formatAuthority(protocol, server, port)}/${app}/${stream}${search}`, autoStart };
}

/** Our server plays where its pages are; another one where SRS does. */
function usualPort(protocol: string, server: string, page: URL): string {
  if (protocol === 'rtmp:') return '';
  if (server === page.hostname) return page.port;
  return protocol === 'http:' ? '8080' : '';
}

function withSuffix(stream: string, protocol: string): string {
  const isBare = !/\.[a-z0-9]{2,4}$/i.test(stream);
  return isBare && (protocol === 'http:' || protocol === 'https:') ? `${stream}.flv` : stream;
}

/** A file, or a playlist of our own recordings: it has a beginning and an end, and one wants to seek in it. */
export function toRecordedSource({ kind, url }: PlayerSource): RecordedSource | undefined {
  if (kind === 'file') return { kind, url };
  const isRecording = kind === 'hls' && new URL(url).pathname.includes('/hooks/record/hls/');
  return isRecording ? { kind, url } : undefined;
}

/** `t` of a page's address: the second a recording begins at. Anything that is none means its beginning. */
export function parseStartSecond(page: URL): number {
  const text = page.searchParams.get('t') ?? '';
  return /^\d{1,9}(\.\d{1,6})?$/.test(text) ? Number(text) : 0;
}
