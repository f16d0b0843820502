import { renditionMark, renditionPattern } from '../../packagers/hls/hls-renditions.ts';

/** Parsed path. `key` is the stream's, as `app/name`. */
export type HlsRequest =
  | { readonly type: 'playlist'; readonly key: string }
  | { readonly type: 'segment'; readonly key: string; readonly sequence: number; readonly timestampMs: number }
  | { readonly type: 'part'; readonly key: string; readonly sequence: number; readonly part: number }
  | RewindRequest
  | VttRequest;

/** A piece of what was live a while ago. */
export interface RewindRequest {
  readonly type: 'rewind';
  readonly key: string;
  readonly number: number;
}

/** A piece of subtitles. Whether of the low-latency form is for `key` to say, and a part is always. */
export interface VttRequest {
  readonly type: 'vtt';
  readonly key: string;
  readonly language: string;
  readonly sequence: number;
  readonly part: number | undefined;
}

/** Ends the name of the playlist that players follow, where the ordinary address names renditions and has no session to tell by. */
export const mediaMark = '.media';
const tag = '[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}';
const subtitleStem = new RegExp(`^(.+)\\.sub-(${tag})$`, 's');
const rewindStem = /^(.+)\.dvr-(\d{1,12})$/s;
const vttStem = new RegExp(`^(.+)\\.sub-(${tag})\\.(\\d{1,15})(?:\\.(\\d{1,6}))?$`, 's');

/** Ends of a low-latency playlist's and its parts' names, before their extension. */
export const llMark = '.ll';

/** Ends the name of a playlist of the past, before its extension. */
export const dvrMark = '.dvr';

/** Reads a decoded path. Undefined when no address of ours looks like it. */
export function readHlsRequest(path: string): HlsRequest | undefined {
  const dot = path.lastIndexOf('.');
  if (!path.startsWith('/') || dot < 0) return undefined;
  const stem = path.slice(1, dot);
  switch (path.slice(dot)) {
    case '.m3u8':
      return { type: 'playlist', key: stem };
    case '.ts': {
      const [, ofRewind = '', number] = rewindStem.exec(stem) ?? [];
      if (ofRewind !== '') return { type: 'rewind', key: ofRewind, number: Number(number) };
      const [, key = '', sequence, timestampMs] = /^(.+)-(\d{1,15})-(\d{1,15})$/s.exec(stem) ?? [];
      return key === ''
        ? undefined
        : { type: 'segment', key, sequence: Number(sequence), timestampMs: Number(timestampMs) };
    }
    case '.m4s': {
      const [, key = '', sequence, part] = /^(.+)\.ll-(\d{1,15})-(\d{1,6})$/s.exec(stem) ?? [];
      return key === '' ? undefined : { type: 'part', key, sequence: Number(sequence), part: Number(part) };
    }
    case '.vtt': {
      const [, key = '', language = '', sequence, part] = vttStem.exec(stem) ?? [];
      const piece = { sequence: Number(sequence), part: part === undefined ? undefined : Number(part) };
      return key === '' ? undefined : { type: 'vtt', key, language, ...piece };
    }
    default:
      return undefined;
  }
}

/** Parses the suffix of a special playlist's address. */
export function parsePlaylistKey(key: string): { key: string; language?: string; isMedia?: true } {
  const [, stem, language] = subtitleStem.exec(key) ?? [];
  if (stem !== undefined && language !== undefined) return { key: stem, language };
  return key.endsWith(mediaMark) ? { key: key.slice(0, -mediaMark.length), isMedia: true } : { key };
}

const renditionStem = new RegExp(`^(.+)\\${renditionMark}(${renditionPattern})$`, 's');

/** The key of a stream and the name of its rendition, or undefined when the key names a stream as a whole. */
export function parseRenditionKey(key: string): { readonly key: string; readonly rendition: string } | undefined {
  const [, stem, rendition] = renditionStem.exec(key) ?? [];
  return stem === undefined || rendition === undefined ? undefined : { key: stem, rendition };
}

/** The key of a stream that a playlist of the past names, or undefined when it names another. */
export function parseRewindKey(key: string): string | undefined {
  return key.endsWith(dvrMark) ? key.slice(0, -dvrMark.length) : undefined;
}

/** The key that a low-latency playlist's address names, or undefined when it names an ordinary one. */
export function parseLowLatencyKey(key: string): string | undefined {
  return key.endsWith(llMark) ? key.slice(0, -llMark.length) : undefined;
}

/** Delivery directives of a low-latency playlist request (rfc8216bis, 6.2.5). */
interface Directives {
  readonly sequence: number | undefined;
  readonly part: number | undefined;
  readonly isDelta: boolean;
}

/** Undefined when the values make no sense; they are answered with 400. */
export function readDirectives(query: string): Directives | undefined {
  if (!query.includes('_HLS_')) return { sequence: undefined, part: undefined, isDelta: false };
  const values = new URLSearchParams(query);
  const sequence = values.get('_HLS_msn');
  const part = values.get('_HLS_part');
  const skip = values.get('_HLS_skip');
  const isNumber = (text: string | null) => text === null || /^\d{1,15}$/.test(text);
  if (!isNumber(sequence) || !isNumber(part) || (part !== null && sequence === null)) return undefined;
  return {
    sequence: sequence === null ? undefined : Number(sequence),
    part: part === null ? undefined : Number(part),
    isDelta: skip === 'YES' || skip === 'v2',
  };
}

/** The session a query names, or undefined. */
export function parseHlsContext(query: string): string | undefined {
  return /(?:^|&)hls_ctx=([^&]*)/.exec(query)?.[1];
}

/** The query with a session in it, without what belongs to one request only. */
export function withContext(query: string, id: string): string {
  const kept = query.split('&').filter((pair) => pair !== '' && !/^(?:hls_ctx(?:=|$)|_HLS_)/.test(pair));
  return [...kept, `hls_ctx=${id}`].join('&');
}
