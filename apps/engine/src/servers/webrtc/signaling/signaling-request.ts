import { type AskedStream, decodedText, defaultVhost, isQuality, isUsableName, parseVhost } from '@weir/streams';

/** Calls below `/rtc/v1/`. */
export type SignalingCall = 'whip' | 'whep' | 'publish' | 'play' | 'test';

export function parseSignalingCall(path: string): SignalingCall | undefined {
  switch (path.endsWith('/') ? path : `${path}/`) {
    case '/rtc/v1/whip/':
      return 'whip';
    case '/rtc/v1/whep/':
      return 'whep';
    case '/rtc/v1/publish/':
      return 'publish';
    case '/rtc/v1/play/':
      return 'play';
    case '/rtc/v1/test/':
      return 'test';
    default:
      return undefined;
  }
}

/** The stream that the query of a WHIP or WHEP call names; undefined when it names none. The whole query is its param. */
export function streamOfQuery(query: string): AskedStream | undefined {
  const values = new URLSearchParams(query);
  const app = values.get('app') ?? 'live';
  const name = values.get('stream') ?? '';
  if (!isUsableName(app) || !isUsableName(name)) return undefined;
  return { place: { vhost: parseVhost(query) ?? defaultVhost, app, name }, param: query };
}

/** JSON body of the older calls: `{api, streamurl, sdp}`. */
interface JsonAsk extends AskedStream {
  readonly sdp: string;
}

/**
 * Parses the body; undefined if it has another form. `webrtc://host/app/stream?query` names the stream, with any scheme, because clients
 * repeat the address that they were given.
 */
export function readJsonAsk(text: string, isPublish: boolean): JsonAsk | undefined {
  const body = parse(text);
  if (typeof body !== 'object' || body === null || !('streamurl' in body) || !('sdp' in body)) return undefined;
  const { streamurl, sdp } = body;
  if (typeof streamurl !== 'string' || typeof sdp !== 'string' || streamurl.length > 4096) return undefined;
  const match = /^[a-z][a-z0-9+.-]{0,31}:\/\/[^/?#]*\/([^?#]+)(\?[^#]*)?$/i.exec(streamurl);
  const path = decodedText(match?.[1] ?? '') ?? '';
  const query = match?.[2] ?? '';
  const slash = path.lastIndexOf('/');
  const [app, name] = [path.slice(0, Math.max(0, slash)), path.slice(slash + 1)];
  if (!isUsableName(app) || !isUsableName(name)) return undefined;
  const mark = query === '' ? '?upstream=rtc' : `${query}&upstream=rtc`;
  return { place: { vhost: parseVhost(query) ?? defaultVhost, app, name }, param: isPublish ? mark : query, sdp };
}

/** Reads `{quality: '480p'}`; empty for null, which means automatic, and undefined where it is neither. */
export function readQualityAsk(text: string): string | undefined {
  const body = parse(text);
  if (typeof body !== 'object' || body === null || !('quality' in body)) return undefined;
  const { quality } = body;
  if (quality === null) return '';
  return typeof quality === 'string' && isQuality(quality) ? quality : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
