import { srtStreamId } from '../srt-stream-id.ts';
import { defaultVhost } from '../stream-place.ts';

/** All addresses of one stream, with the names that Oryx uses. */
export interface StreamAddresses {
  /** Server with a slash at its end, so that server and key form the whole address. */
  readonly rtmpServer: string;
  readonly rtmpStreamKey: string;
  readonly srtPublishUrl: string;
  readonly srtPlayUrl: string;
  readonly flvUrl: string;
  readonly m3u8Url: string;
  readonly rtcUrl: string;
  readonly rtcPublishUrl: string;
  readonly flvPlayer: string;
  readonly hlsPlayer: string;
  readonly rtcPlayer: string;
  readonly rtcPublisher: string;
  readonly whipUrl: string;
  readonly whepUrl: string;
  readonly cnConsole: string;
  readonly enConsole: string;
  readonly transcodeStreamName: string;
  readonly transcodeStreamKey: string;
  readonly transcodeFlvPlayer: string;
}

export interface AddressInput {
  /** `live/livestream`, an app of several levels, or a whole address whose path is taken. */
  readonly path?: string;
  /** Named in the addresses of viewers unless it is the default one. */
  readonly vhost?: string;
  readonly secret?: { readonly publish: string } | undefined;
  /** Location of the console: `window.location`. */
  readonly page: { readonly protocol: string; readonly hostname: string; readonly port: string };
  /** Ports by which other machines reach this server; empty if unknown. */
  readonly environment: {
    readonly rtmpPort: string;
    readonly srtPort: string;
    readonly httpPort: string;
    /** Host of RTMP and SRT, unless it is the host of the page. */
    readonly mediaHost?: string | undefined;
  };
}

const defaultStreamPath = 'live/livestream';
const defaultApp = 'live';
const transcodeSuffix = '-trans';

/** Clients expect one list for each protocol. */
const usualPorts = ['', '1935', '80', '443'];

/**
 * All addresses of a stream, as seen from the browser. The secret is in those of publishers only. Names of letters and
 * digits stand in them as they are; any other sign is encoded where it would break an http address, and left alone
 * where encoders send what they are given.
 */
export function streamAddresses({
  path = defaultStreamPath,
  vhost = defaultVhost,
  secret,
  page,
  environment,
}: AddressInput): StreamAddresses {
  const { app, stream } = splitPath(path);
  const schema = page.protocol.replace(':', '');
  const host = page.hostname;
  const http = environment.httpPort || page.port || (schema === 'https' ? '443' : '80');
  const mediaHost = environment.mediaHost || host;
  const rtmpHost = mediaHost + portSuffix(environment.rtmpPort);
  const srtHost = mediaHost + (environment.srtPort === '' ? '' : `:${environment.srtPort}`);
  const origin = `${schema}://${host}${portSuffix(http)}`;
  const publish = secret?.publish ?? '';
  const withSecret = (mark: '?' | '&') => (publish === '' ? '' : `${mark}secret=${publish}`);

  const mediaPath = (name: string) => `/${[...app.split('/'), name].map(encodePiece).join('/')}`;
  const ofVhost = (mark: '?' | '&') => (vhost === defaultVhost ? '' : `${mark}vhost=${encodeValue(vhost)}`);
  const flvUrl = `${origin}${mediaPath(stream)}.flv${ofVhost('?')}`;
  const m3u8Url = `${origin}${mediaPath(stream)}.m3u8${ofVhost('?')}`;
  const rtcUrl = `webrtc://${host}${portSuffix(http)}${mediaPath(stream)}`;
  const transcoded = stream + transcodeSuffix;
  const rtcQuery = `app=${encodeValue(app)}&stream=${encodeValue(stream)}`;
  // The players' own app is `live`: the usual link stays short, other apps are named.
  const playerQuery = `stream=${encodeValue(stream)}${app === defaultApp ? '' : `&app=${encodeValue(app)}`}`;
  const consoleQuery = `#/summaries?port=${http}&http=${http}`;
  return {
    rtmpServer: `rtmp://${rtmpHost}/${app}/`,
    rtmpStreamKey: stream + withSecret('?'),
    srtPublishUrl: `srt://${srtHost}?streamid=${srtStreamId({ app, name: stream + withSecret('?') }, 'publish')}`,
    srtPlayUrl: `srt://${srtHost}?streamid=${srtStreamId({ app, name: stream }, 'request', { latency: '20' })}`,
    flvUrl,
    m3u8Url,
    rtcUrl,
    rtcPublishUrl: rtcUrl + withSecret('?'),
    flvPlayer: playerOf(flvUrl),
    hlsPlayer: playerOf(m3u8Url),
    rtcPlayer: `/players/whep.html?schema=${schema}&port=${http}&api=${http}&autostart=true&${playerQuery}${ofVhost('&')}`,
    rtcPublisher: `/players/whip.html?schema=https&port=${http}&api=${http}&autostart=true&${playerQuery}${withSecret('&')}`,
    whipUrl: `${origin}/rtc/v1/whip/?${rtcQuery}${withSecret('&')}`,
    whepUrl: `${origin}/rtc/v1/whep/?${rtcQuery}${ofVhost('&')}`,
    cnConsole: `/console/ng_index.html${consoleQuery}`,
    enConsole: `/console/en_index.html${consoleQuery}`,
    transcodeStreamName: transcoded,
    transcodeStreamKey: transcoded + withSecret('?'),
    transcodeFlvPlayer: playerOf(`${origin}${mediaPath(transcoded)}.flv`),
  };
}

function playerOf(url: string): string {
  return `/tools/player.html?url=${encodeValue(url)}`;
}

function portSuffix(port: string): string {
  return usualPorts.includes(port) ? '' : `:${port}`;
}

/** The app is everything before the last slash. Query and host of a full URL are dropped. */
function splitPath(path: string): { app: string; stream: string } {
  const plain = path.includes('://') ? pathOfUrl(path) : (path.split(/[?#]/)[0] ?? '');
  const pieces = plain.split('/').filter((piece) => piece !== '');
  if (pieces.length === 0) return splitPath(defaultStreamPath);
  return { app: pieces.slice(0, -1).join('/') || defaultApp, stream: pieces.at(-1) ?? '' };
}

function pathOfUrl(url: string): string {
  // URL parses paths only of schemes that it knows, so others are replaced by http.
  const known = url.replace(/^[a-z][a-z0-9+.-]*:/i, 'http:');
  if (!URL.canParse(known)) return '';
  const { pathname } = new URL(known);
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

/** Encodes one path segment. */
function encodePiece(piece: string): string {
  return encodeURIComponent(piece);
}

/** Encodes the value of a query. Only signs that would end or change it are encoded, so that a plain address stays readable. */
function encodeValue(value: string): string {
  return value.replace(/[^\w\-.~:/@!$'()*,;=[\]]/gu, encodeURIComponent);
}
