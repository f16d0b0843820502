import { decodedText } from '@weir/streams';
/** `ts` is MPEG-TS over HTTP, `file` anything the browser plays natively. */
export type SourceKind = 'flv' | 'hls' | 'whep' | 'ts' | 'file';

export interface PlayerSource {
  readonly kind: SourceKind;
  readonly url: string;
}

/** Reasons to reject an address: empty, malformed, or not playable in a browser. */
export type SourceRefusal = 'empty' | 'address' | 'scheme' | 'mixed' | 'rtmp' | 'dash';

type ParsedSource = { readonly source: PlayerSource } | { readonly refusal: SourceRefusal };

const longestAddress = 4096;
const encoderSchemes = new Set(['rtmp:', 'rtmps:', 'rtmpe:', 'rtmpt:', 'srt:', 'rtsp:', 'rtsps:', 'udp:']);
const nativeSuffix = /\.(mp4|m4v|m4a|mp3|aac|webm|ogg|oga|ogv|wav)$/i;

/** Detects how to play an address. Links are untrusted: only HTTP and HTTPS pass, and HTTPS pages never load plain HTTP. */
export function parseSource(text: string, page: URL): ParsedSource {
  const address = text.trim();
  if (address === '') return { refusal: 'empty' };
  const url = parseMediaUrl(address, page);
  if ('refusal' in url) return url;
  const { pathname } = url.url;
  const kind = detectKind(pathname, url.url.href);
  return kind === 'dash' ? { refusal: 'dash' } : { source: { kind, url: url.url.href } };
}

/** Resolves an address to HTTP or HTTPS. `webrtc://host/app/stream` uses the page's scheme. */
export function parseMediaUrl(
  address: string,
  page: URL,
  rtcPath = '/rtc/v1/whep/',
): { readonly url: URL } | { readonly refusal: SourceRefusal } {
  if (address.length > longestAddress) return { refusal: 'address' };
  const isRtc = /^webrtc:\/\//i.test(address);
  const url = isRtc ? rtcAddress(address, page, rtcPath) : absoluteAddress(address, page);
  if (url === undefined || hasCredentials(url)) return { refusal: 'address' };
  if (encoderSchemes.has(url.protocol)) return { refusal: 'rtmp' };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { refusal: 'scheme' };
  if (page.protocol === 'https:' && url.protocol === 'http:') return { refusal: 'mixed' };
  return { url };
}

/** Browsers refuse to fetch URLs with credentials, and links should not contain them. */
function hasCredentials({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}

function absoluteAddress(address: string, page: URL): URL | undefined {
  if (!address.startsWith('/') && !/^[a-z][a-z0-9+.-]*:/i.test(address)) return undefined;
  return URL.canParse(address, page.href) ? new URL(address, page.href) : undefined;
}

/** `webrtc://host:port/app/stream?secret=s` maps to `/rtc/v1/whep/?app=app&stream=stream&secret=s` on that host. */
function rtcAddress(address: string, page: URL, rtcPath: string): URL | undefined {
  const plain = address.replace(/^webrtc:/i, page.protocol);
  if (!URL.canParse(plain)) return undefined;
  const named = new URL(plain);
  const path = named.pathname.slice(1);
  const slash = path.lastIndexOf('/');
  if (slash < 1 || slash === path.length - 1) return undefined;
  const url = new URL(rtcPath, named);
  url.username = named.username;
  url.password = named.password;
  const [app, stream] = [path.slice(0, slash), path.slice(slash + 1)];
  url.searchParams.set('app', decodedText(app) ?? app);
  url.searchParams.set('stream', decodedText(stream) ?? stream);
  for (const [name, value] of named.searchParams) url.searchParams.append(name, value);
  return url;
}

function detectKind(path: string, whole: string): SourceKind | 'dash' {
  if (/\/whep(\/|$)/.test(path)) return 'whep';
  if (path.endsWith('.flv')) return 'flv';
  if (path.endsWith('.mpd')) return 'dash';
  if (path.endsWith('.ts')) return 'ts';
  if (nativeSuffix.test(path)) return 'file';
  return whole.includes('.m3u8') ? 'hls' : 'flv';
}
