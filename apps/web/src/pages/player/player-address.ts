import type { RecordedSource } from '../../components/player/recorded-player.tsx';
import type { PlayerSource } from '../../components/player/session/player-source.ts';
import { encodePath, extraParameters, formatAuthority, parseHost, parsePort } from '../page-parameters.ts';

/** Parameters of the page itself; all others belong to the media URL. */
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

/** Playback request parsed from the page address. */
export interface PlayerRequest {
  readonly address: string;
  readonly autoStart: boolean;
}

/** `/tools/player.html?url=…`: plays the parameter at once. */
export function parseUrlRequest(page: URL): PlayerRequest {
  return { address: page.searchParams.get('url') ?? '', autoStart: true };
}

/** `/players/srs_player.html?app=…&stream=…`: builds the media URL from parts. */
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

/** This server serves media on the page's port, SRS on 8080. */
function usualPort(protocol: string, server: string, page: URL): string {
  if (protocol === 'rtmp:') return '';
  if (server === page.hostname) return page.port;
  return protocol === 'http:' ? '8080' : '';
}

function withSuffix(stream: string, protocol: string): string {
  const isBare = !/\.[a-z0-9]{2,4}$/i.test(stream);
  return isBare && (protocol === 'http:' || protocol === 'https:') ? `${stream}.flv` : stream;
}

/** Files and playlists of our recordings: finite media in which viewers seek. */
export function toRecordedSource({ kind, url }: PlayerSource): RecordedSource | undefined {
  if (kind === 'file') return { kind, url };
  const isRecording = kind === 'hls' && new URL(url).pathname.includes('/hooks/record/hls/');
  return isRecording ? { kind, url } : undefined;
}

/** Start position of a recording (`t`); invalid values mean 0. */
export function parseStartSecond(page: URL): number {
  const text = page.searchParams.get('t') ?? '';
  return /^\d{1,9}(\.\d{1,6})?$/.test(text) ? Number(text) : 0;
}
