import { Prepared } from '../../http/prepared.ts';
import { tagOfText } from '../../http/validators.ts';
import type { StreamSubtitles } from '../../hub/stream-subtitles.ts';
import type { HlsVariant } from './hls-variant.ts';
import type { PartStore } from './low-latency/part-store.ts';
import { mediaPlaylist } from './playlist.ts';
import { pieceHeaders, preparedPlaylist } from './prepared-pieces.ts';
import { type PieceTimes, vttPiece } from './vtt-piece.ts';

interface Options {
  /** URL prefix of segments in playlists. */
  readonly name: string;
  readonly subtitles: () => StreamSubtitles;
}

/** Which piece: `part` of low-latency segments only. */
interface VttName {
  readonly language: string;
  readonly isLow: boolean;
  readonly sequence: number;
  readonly part: number | undefined;
}

/** Late words still find their way into it. */
const caching = ['Cache-Control', 'public, max-age=2'];
const mostPieces = 500;

/** Before the language, in the addresses of what has to do with it. */
export const subtitleMark = '.sub-';

/** The subtitles of one stream as renditions of HLS: piece by piece like its video, numbered alike, made when asked for. */
export class HlsSubtitles {
  readonly #options: Options;
  /** By the playlist of the video they go with: a new one of that is a new one of these. */
  readonly #playlists = new WeakMap<object, Map<string, Prepared>>();
  readonly #pieces = new Map<string, { readonly version: number; readonly piece: Prepared }>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** True if the language may be requested, also after its track ended. */
  has(language: string): boolean {
    return this.#options.subtitles().shelf(language) !== undefined;
  }

  /** Undefined while the video has none. */
  playlist(language: string, video: HlsVariant, caching: string): Prepared | undefined {
    const main = video.playlist(caching);
    if (!main) return undefined;
    return this.#kept(main, language, () => {
      const { view } = video;
      const segments = view.segments.map((segment) => ({
        ...segment,
        isIndependent: true,
        uri: this.#uri({ language, isLow: false, sequence: segment.sequence, part: undefined }),
      }));
      return preparedPlaylist(Buffer.from(mediaPlaylist({ ...view, segments })), caching);
    });
  }

  lowPlaylist(
    language: string,
    video: PartStore,
    { isDelta, caching }: { isDelta: boolean; caching: string },
  ): Prepared {
    return this.#kept(video.playlist(isDelta), `${language} ${caching}`, () => {
      const text = video.companion((sequence, part) => this.#uri({ language, isLow: true, sequence, part }), isDelta);
      return preparedPlaylist(Buffer.from(text), caching);
    });
  }

  /** The same until the language says something more. */
  piece(name: VttName, times: PieceTimes): Prepared | undefined {
    const { language, isLow } = name;
    const shelf = this.#options.subtitles().shelf(language);
    if (!shelf) return undefined;
    const key = this.#uri(name);
    const known = this.#pieces.get(key);
    if (known?.version === shelf.version) return known.piece;
    const text = vttPiece(shelf.all(), times, { isLow });
    const body = Buffer.from(text);
    const headers = [...pieceHeaders('text/vtt; charset=utf-8'), ...caching];
    const piece = new Prepared(body, headers, { isText: true, tag: tagOfText(body) });
    if (this.#pieces.size >= mostPieces) this.#pieces.clear();
    this.#pieces.set(key, { version: shelf.version, piece });
    return piece;
  }

  #kept(main: object, form: string, make: () => Prepared): Prepared {
    const kept = this.#playlists.get(main) ?? new Map<string, Prepared>();
    this.#playlists.set(main, kept);
    const playlist = kept.get(form) ?? make();
    kept.set(form, playlist);
    return playlist;
  }

  #uri({ language, isLow, sequence, part }: VttName): string {
    const number = part === undefined ? sequence : `${sequence}.${part}`;
    return `${this.#options.name}${isLow ? '.ll' : ''}${subtitleMark}${language}.${number}.vtt`;
  }
}
