import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { decodedText, defaultVhost, type StreamPlace, streamKey } from '@weir/streams';
import type { Exchange } from '../../http/exchange.ts';
import type { Prepared } from '../../http/prepared.ts';
import type { AccessGate } from '../../hub/access-gate.ts';
import type { ClientInfo } from '../../hub/clients/client-info.ts';
import { renditionMark, renditionPattern } from '../../packagers/hls/hls-renditions.ts';
import type { HlsStream } from '../../packagers/hls/hls-stream.ts';
import { preparedPlaylist } from '../../packagers/hls/prepared-pieces.ts';
import { siteOf } from '../site-of.ts';
import type { EdgeToken } from './edge-token.ts';
import type { HlsViewers } from './viewers/hls-viewers.ts';

interface Options {
  /** Rules of access; without them everybody may watch everything. */
  readonly gate: AccessGate | undefined;
  readonly edges: Pick<EdgeToken, 'read'>;
  readonly viewers: Pick<HlsViewers, 'isWatching'>;
  readonly nowMs: () => number;
  readonly listedMs: () => number;
}

/** Real address of a request, and the playback id that it had instead of the stream name. */
interface RealUrl {
  readonly url: string;
  readonly playback?: string;
}

/** Signatures of pieces. */
export interface PieceSigns {
  /** Returns the time of a piece's signature; undefined unless the query has a valid one. */
  signedAtMs(path: string, query: string): number | undefined;
}

/** A playlist in the form for one kind of viewer. */
interface Naming {
  readonly stream: HlsStream;
  readonly playback?: string | undefined;
  readonly caching: string;
}

const playbackUrl = /^\/play\/([a-z0-9]{16})([.-].*)$/s;
const pieceEnd =
  '(?:-\\d+-\\d+\\.ts|\\.dvr-\\d+\\.ts|\\.ll-init-\\d+\\.mp4|\\.ll-\\d+(?:-\\d+)?\\.m4s|(?:\\.ll)?\\.sub-[\\w-]+\\.\\d+(?:\\.\\d+)?\\.vtt)$';
/** Key of the stream, without the name of a rendition and the mark of low latency; and as if these belonged to the name of a stream. */
const pieceForms = [
  new RegExp(`^/(.+?)(?:\\${renditionMark}${renditionPattern})?${pieceEnd}`, 's'),
  new RegExp(`^/(.+)${pieceEnd}`, 's'),
];
const mostPlaces = 5000;
const uriAttribute = /URI="([^"]+)"/;
/** Header of an edge that checks viewers, and of its question whether one may have what it asks for. */
const checksHeader = 'x-weir-edge-access';

/** Access to playlists and pieces of streams that not everybody may watch, and addresses with playback ids. */
export class HlsAccess {
  readonly #options: Options;
  readonly #signed: SignedPieces;
  /** Stream of each piece, by path. */
  readonly #places = new Map<string, readonly StreamPlace[]>();
  /** Rewritten playlists, by the original and by form. */
  readonly #named = new WeakMap<Prepared, Map<string, Prepared>>();

  constructor(options: Options) {
    this.#options = options;
    this.#signed = new SignedPieces(options);
  }

  /** Replaces a playback id by the stream. An unknown id stays, and no stream is found for it. */
  readUrl(url: string): RealUrl {
    if (!url.startsWith('/play/')) return { url };
    const [, playback = '', rest = ''] = playbackUrl.exec(url) ?? [];
    if (playback === '') return { url };
    const place = { vhost: defaultVhost, app: 'play', name: playback };
    const real = this.#options.gate?.resolve(place) ?? place;
    return real === place ? { url } : { url: `/${encodedKey(real)}${rest}`, playback };
  }

  isProtected(place: StreamPlace): boolean {
    return this.#options.gate?.ruleOf(place) !== undefined;
  }

  /** True if this edge asks here about every viewer. */
  isCheckingEdge(exchange: Exchange): boolean {
    return exchange.header(checksHeader) !== undefined;
  }

  /** True for a request by which an edge asks about a viewer. It gets no content. */
  isEdgeQuestion(exchange: Exchange): boolean {
    return exchange.header(checksHeader) === 'ask' && this.#options.edges.read(exchange) === 'edge';
  }

  /**
   * Answer to an edge: may its viewer read the playlists of this stream? One answer serves all viewers with the same token, so whoever is
   * bound to an address or a network has to come here.
   */
  mayViewerOfEdge(exchange: Exchange, place: StreamPlace, query: string): boolean {
    return this.#options.gate?.mayWatchUnasked({ place, param: query, address: '', site: siteOf(exchange) }) ?? true;
  }

  mayGoOn(client: ClientInfo, exchange: Exchange): boolean {
    return this.#options.gate?.mayGoOn(client, exchange.address) ?? true;
  }

  /** True if the client may have the piece at this path, which is percent-encoded. */
  mayHavePiece(exchange: Exchange, path: string, query: string, signs: PieceSigns = this.#signed): boolean {
    const { gate, edges, viewers } = this.#options;
    if (!gate) return true;
    const places = gate.isOpen ? [] : this.#placesOf(path);
    if (gate.isOpen || (places.length > 0 && !places.some((place) => gate.ruleOf(place)))) {
      // A request with an invented signature would store another copy in the cache of an edge.
      return !query.includes('sign=') || edges.read(exchange) !== 'edge' || signs.signedAtMs(path, query) !== undefined;
    }
    const signedAtMs = signs.signedAtMs(path, query);
    if (places.length === 0 || signedAtMs === undefined) return false;
    // Disconnected viewers may know this signature, so it is valid for present viewers only.
    const keys = places.map(streamKey);
    if (keys.every((key) => signedAtMs > gate.endedAtMs(key))) return true;
    return edges.read(exchange) === 'edge' || keys.some((key) => viewers.isWatching(key, exchange.address));
  }

  /** Streams of a piece, remembered because thousands of viewers request the same few pieces. */
  #placesOf(path: string): readonly StreamPlace[] {
    const known = this.#places.get(path);
    if (known) return known;
    const places = placesOfPiece(path);
    if (this.#places.size >= mostPlaces) this.#places.clear();
    if (places.length > 0) this.#places.set(path, places);
    return places;
  }

  /** Rewrites a playlist with the addresses by which this viewer may request pieces. */
  named(playlist: Prepared, { stream, playback, caching }: Naming): Prepared {
    const isSigned = this.isProtected(stream.source.place);
    if (!isSigned && playback === undefined) return playlist;
    const form = `${isSigned} ${playback ?? ''} ${caching}`;
    const known = this.#named.get(playlist) ?? new Map<string, Prepared>();
    this.#named.set(playlist, known);
    const ready = known.get(form);
    if (ready) return ready;
    const directory = `/${encodedKey(stream.source.place).replace(/[^/]*$/, '')}`;
    const ownName = encodedKey(stream.source.place).replace(/^.*\//s, '');
    const rename = (uri: string): string => {
      const path = uri.startsWith('/') ? uri : directory + uri;
      const rest = path.slice(directory.length + ownName.length);
      const name = playback === undefined ? uri : `${playback}${rest}`;
      return isSigned ? `${name}?${this.#signed.query(path)}` : name;
    };
    const lines = playlist.body
      .toString()
      .split('\n')
      .map((line) => {
        if (line !== '' && !line.startsWith('#')) return rename(line);
        return line.includes('URI="') ? line.replace(uriAttribute, (_, uri: string) => `URI="${rename(uri)}"`) : line;
      });
    const prepared = preparedPlaylist(Buffer.from(lines.join('\n')), caching);
    known.set(form, prepared);
    return prepared;
  }
}

/**
 * Streams to which a piece may belong; none for a path that no piece of ours has. A stream may be called as another's rendition is: the piece is
 * open only if both are.
 */
function placesOfPiece(path: string): StreamPlace[] {
  const keys = pieceForms.map((form) => decodedText(form.exec(path)?.[1] ?? '') ?? '');
  return [...new Set(keys)].flatMap((key) => placeOfKey(key) ?? []);
}

/** The place of a stream with this key. */
export function placeOfKey(key: string): StreamPlace | undefined {
  const [, vhost = defaultVhost, app = '', name = ''] = /^(?:([^/]+)\/\/)?(.+)\/([^/]+)$/s.exec(key) ?? [];
  return name === '' ? undefined : { vhost, app, name };
}

/** Key of a stream in the form that addresses have. */
export function encodedKey(place: StreamPlace): string {
  return streamKey(place)
    .split('/')
    .map((level) => encodeURIComponent(level.toWellFormed()))
    .join('/');
}

/** Query parameter of a piece that carries its signature. */
export const signParameter = 'sign';
export const signPattern = new RegExp(`(?:^|&)${signParameter}=([0-9a-z]{1,9})\\.([\\w-]{22})(?:&|$)`);

interface SignedPiecesOptions {
  readonly nowMs: () => number;
  /** Longest time for which a playlist lists a piece. */
  readonly listedMs: () => number;
}

const marginMs = 60_000;
const mostChecked = 5000;

/**
 * Signatures of segments, parts and subtitles of streams that not everybody may watch. A piece has one signature for all viewers, so that
 * caches keep it once, and for as long as playlists name it. Whoever may not read playlists any more learns of no further piece.
 */
class SignedPieces implements PieceSigns {
  readonly #options: SignedPiecesOptions;
  readonly #key = randomBytes(32);
  /** Valid signatures by path, because many viewers send the same ones. */
  readonly #checked = new Set<string>();
  /** Time in seconds at which each path was signed, oldest first. */
  readonly #signed = new Map<string, number>();

  constructor(options: SignedPiecesOptions) {
    this.#options = options;
  }

  /** Query of the piece at this path. */
  query(path: string): string {
    const now = Math.floor(this.#options.nowMs() / 1000);
    const stableSeconds = this.#stableSeconds();
    let signedAt = this.#signed.get(path);
    if (signedAt === undefined || now - signedAt >= stableSeconds) {
      signedAt = now;
      this.#signed.delete(path);
      this.#signed.set(path, now);
      this.#forget(now - stableSeconds);
    }
    const text = signedAt.toString(36);
    return `${signParameter}=${text}.${this.#mac(path, text)}`;
  }

  /** Returns the time of a piece's signature; undefined unless the query has a valid one. */
  signedAtMs(path: string, query: string): number | undefined {
    const [, text = '', shown = ''] = signPattern.exec(query) ?? [];
    const ms = parseInt(text, 36) * 1000;
    if (!(this.#options.nowMs() - ms < 2000 * this.#stableSeconds())) return undefined;
    const whole = `${text} ${shown} ${path}`;
    if (this.#checked.has(whole)) return ms;
    if (!timingSafeEqual(Buffer.from(shown), Buffer.from(this.#mac(path, text)))) return undefined;
    if (this.#checked.size >= mostChecked) this.#checked.clear();
    this.#checked.add(whole);
    return ms;
  }

  /** Half of a signature's validity, after which the piece gets a new one. */
  #stableSeconds(): number {
    return Math.ceil((this.#options.listedMs() + marginMs) / 1000);
  }

  #forget(before: number): void {
    for (const [path, signedAt] of this.#signed) {
      if (signedAt > before) return;
      this.#signed.delete(path);
    }
  }

  #mac(path: string, text: string): string {
    return createHmac('sha256', this.#key).update(`${text} ${path}`).digest('base64url').slice(0, 22);
  }
}
