import type { HlsSettings } from '@weir/engine-api';
import { defaultVhost, parseVhost } from '@weir/streams';
import { toHlsRules } from '../../packagers/hls/hls-settings.ts';
import type { HlsStream } from '../../packagers/hls/hls-stream.ts';
import { parseLowLatencyKey, parsePlaylistKey, parseRenditionKey } from './hls-request.ts';

interface Times {
  low: number;
  ordinary: number;
}

/** When somebody without a session last followed the video of a stream at its ordinary address. */
class Followers {
  readonly #elapsedMs: () => number;
  readonly #lastMs = new WeakMap<HlsStream, Times>();

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
  }

  note(stream: HlsStream, { isLow }: { isLow: boolean }): void {
    let times = this.#lastMs.get(stream);
    if (!times) {
      times = { low: Number.NEGATIVE_INFINITY, ordinary: Number.NEGATIVE_INFINITY };
      this.#lastMs.set(stream, times);
    }
    times[isLow ? 'low' : 'ordinary'] = this.#elapsedMs();
  }

  hasWithin(stream: HlsStream, { isLow }: { isLow: boolean }, ms: number): boolean {
    const times = this.#lastMs.get(stream);
    return times !== undefined && this.#elapsedMs() - times[isLow ? 'low' : 'ordinary'] < ms;
  }
}

/** A stream that somebody asks for, in one of its two forms: what it has to offer, its video, or its subtitles in a language. */
export interface Asked {
  readonly stream: HlsStream;
  readonly isLow: boolean;
  readonly query: string;
  readonly language?: string;
  /** A lower quality of the video or alternative audio, and nothing else. */
  readonly rendition?: string;
  /** The video, and nothing else will do. */
  readonly isMedia?: true;
  /** The playback id by which it was asked for. */
  readonly playback?: string | undefined;
  /** Id of the session that asks. */
  readonly session?: string;
  /** By a cache, for all who ask it. */
  readonly isForEdge?: boolean;
}

interface Options {
  readonly settings: () => HlsSettings;
  readonly find: (key: string) => HlsStream | undefined;
  readonly elapsedMs: () => number;
}

/** Which stream a playlist's address means, and in which form. */
export class AskedStreams {
  readonly #options: Options;
  readonly #followers: Followers;

  constructor(options: Options) {
    this.#options = options;
    this.#followers = new Followers(options.elapsedMs);
  }

  find(plainKey: string, query: string): Asked | undefined {
    const key = keyIn(plainKey, query);
    const named = this.findIn(key, query);
    if (named) return named;
    const { key: rest, ...wish } = parsePlaylistKey(key);
    const asked = rest === key ? undefined : this.findIn(rest, query);
    if (!asked || (wish.language !== undefined && !asked.stream.subtitles.has(wish.language))) return undefined;
    return { ...asked, ...wish };
  }

  findIn(key: string, query: string): Asked | undefined {
    const exact = this.#options.find(key);
    if (exact?.isWatchable) return { stream: exact, isLow: false, query };
    const lowKey = parseLowLatencyKey(key);
    const stream = lowKey === undefined ? undefined : this.#options.find(lowKey);
    if (stream?.isWatchable) return { stream, isLow: true, query };
    return this.#findRendition(lowKey ?? key, { isLow: lowKey !== undefined, query });
  }

  #findRendition(key: string, form: { readonly isLow: boolean; readonly query: string }): Asked | undefined {
    const { key: plain = '', rendition = '' } = parseRenditionKey(key) ?? {};
    const stream = rendition === '' ? undefined : this.#options.find(plain);
    if (!stream?.isWatchable || !stream.hasRendition(rendition)) return undefined;
    return stream.renditions.find(rendition) ? { stream, ...form, rendition } : { stream, ...form, isMedia: true };
  }

  /**
   * Without sessions nobody can tell who comes from who has been here: subtitles, qualities and audio are offered at the ordinary address only when
   * nobody has followed the video there of late, since such a player would stumble over another kind of playlist.
   */
  mayBeNew(asked: Asked): boolean {
    const { stream, query, language, rendition, isMedia } = asked;
    if (language !== undefined || rendition !== undefined || isMedia) return false;
    const { subtitles, qualities, audioTracks } = stream.source;
    const isNew =
      (subtitles.tracks.length > 0 || qualities.offered.length > 0 || audioTracks.offered.length > 0) &&
      !this.#followers.hasWithin(stream, asked, 2 * toHlsRules(this.#options.settings()).windowMs) &&
      // Queries with these parameters come from one of our playlists: that player is known already.
      !/(?:^|&)(?:hls_ctx|_HLS_)/.test(query);
    if (!isNew) this.#followers.note(stream, asked);
    return isNew;
  }
}

/** The key of a stream in the vhost that the query names. */
export function keyIn(key: string, query: string): string {
  const vhost = query.includes('vhost=') ? parseVhost(query) : undefined;
  return vhost === undefined || vhost === defaultVhost ? key : `${vhost}//${key}`;
}
