import type { Exchange } from '../../http/exchange.ts';
import { badRequest, busy, type Failure, notPublished } from '../../http/failures.ts';
import type { Prepared } from '../../http/prepared.ts';
import { isAudioRendition, qualityIn } from '../../packagers/hls/hls-renditions.ts';
import { type HlsRules, overflowRatio, toHlsRules } from '../../packagers/hls/hls-settings.ts';
import type { HlsStream } from '../../packagers/hls/hls-stream.ts';
import { preparedPlaylist } from '../../packagers/hls/prepared-pieces.ts';
import { type Asked, AskedStreams } from './asked-streams.ts';
import { type HlsRequest, readDirectives, type VttRequest } from './hls-request.ts';
import { masterText, renditionReport } from './master/master-text.ts';
import { type DoorOptions, gone, type PlaylistDoor } from './playlist-door.ts';
import { sendPiece } from './send.ts';
import type { HlsViewer } from './viewers/hls-viewers.ts';
import type { ViewerSockets } from './viewers/viewer-sockets.ts';

interface Options extends DoorOptions {
  readonly door: PlaylistDoor;
  readonly sockets: ViewerSockets;
  readonly find: (key: string) => HlsStream | undefined;
}

/**
 * A stream that just began has no segment yet. Players take a playlist that is late better than one that is not there: some
 * ask once more after ten seconds, none asks again after a 404. So they wait until the longest first segment is there.
 */
const firstSegmentMs = ({ fragmentMs }: HlsRules) => Math.max(8000, fragmentMs * overflowRatio + 1000);
/** Cache lifetime of a playlist that changes several times a second, or was requested by an edge. */
const moment = 'public, max-age=1';

/** Answers for playlists: who may read them, and when there is something to read. */
export class PlaylistAnswers {
  readonly #options: Options;
  readonly #door: PlaylistDoor;
  readonly #sockets: ViewerSockets;
  readonly #asked: AskedStreams;
  /** Prepared answers by text and cache lifetime. */
  readonly #lowPlaylists = new WeakMap<Buffer, Map<string, Prepared>>();

  constructor(options: Options) {
    this.#options = options;
    this.#door = options.door;
    this.#sockets = options.sockets;
    this.#asked = new AskedStreams({ ...options, elapsedMs: () => options.clock.elapsedMs() });
  }

  /** Notes that a segment, a part or an init section was sent. */
  countPiece(exchange: Exchange, bytes: number): void {
    this.#sockets.countPiece(exchange, bytes);
  }

  serve(exchange: Exchange, key: string, query: string, playback?: string): void {
    const found = this.#asked.find(key, query);
    if (!found) {
      this.#door.refuseUnknown(exchange, key);
      return;
    }
    const asked = playback === undefined ? found : { ...found, playback };
    const { place, key: streamKey } = asked.stream.source;
    const wish = { place, key: streamKey, query: asked.query, mayBegin: asked.language === undefined };
    this.#door.enter(exchange, wish, {
      edge: (isProtected) => this.#serveEdge(exchange, { ...asked, isForEdge: true }, isProtected),
      first: (id) => this.#sendMaster(exchange, asked, id),
      next: (viewer) => this.#sendTo(exchange, asked, viewer),
      open: () => (this.#asked.mayBeNew(asked) ? this.#sendMaster(exchange, asked) : this.#send(exchange, asked)),
    });
  }

  /** Always what there is to choose from, then what was chosen: whichever viewer asked first, all others get the same. */
  #serveEdge(exchange: Exchange, asked: Asked, isProtected: boolean): void {
    if (isProtected || asked.isMedia || asked.language !== undefined || asked.rendition !== undefined)
      this.#send(exchange, asked);
    else this.#sendMaster(exchange, asked);
  }

  servePieceOfSubtitles(exchange: Exchange, request: VttRequest): void {
    const asked = this.#asked.findIn(request.key, '');
    const { language, sequence, part } = request;
    const shelf = asked?.isLow ? asked.stream.parts : undefined;
    // Only the low-latency variant has parts, and it exists only while it has viewers.
    const isKnown = asked?.isLow ? shelf !== undefined : part === undefined;
    if (!asked?.stream.subtitles.has(language) || !isKnown) {
      exchange.fail(notPublished);
      return;
    }
    const { stream, isLow } = asked;
    const attempt = (): boolean => {
      const times = shelf ? shelf.timesOf(sequence, part) : stream.main.timesOf(sequence);
      const piece = times && stream.subtitles.piece({ ...request, isLow }, times);
      if (piece) this.countPiece(exchange, sendPiece(exchange, piece));
      else if (part === undefined || !shelf?.isHinted(sequence, part)) exchange.fail(notPublished);
      else return false;
      return true;
    };
    if (shelf) this.#wait(stream.llWaiters, exchange, attempt, 3 * shelf.targetDurationMs, () => notPublished);
    else attempt();
  }

  /** Waits for a part that the playlist announced in advance. */
  servePart(exchange: Exchange, request: HlsRequest & { type: 'part' }, find: () => Prepared | undefined): void {
    const asked = this.#asked.findIn(request.key, '');
    const stream = asked?.stream;
    const shelf = asked?.stream.partsOf(asked.rendition);
    const attempt = (): boolean => {
      const piece = find();
      if (piece) this.countPiece(exchange, sendPiece(exchange, piece));
      else if (!shelf?.isHinted(request.sequence, request.part)) exchange.fail(notPublished);
      else return false;
      return true;
    };
    if (stream && shelf)
      this.#wait(stream.llWaiters, exchange, attempt, 3 * shelf.targetDurationMs, () => notPublished);
    else attempt();
  }

  #sendMaster(exchange: Exchange, asked: Asked, id?: string): void {
    const { stream, ...form } = asked;
    const text = masterText(stream, { ...form, ...(id !== undefined && { id }) });
    exchange.answerPrepared(preparedPlaylist(Buffer.from(text), this.#cachingOf(asked)));
  }

  #sendTo(exchange: Exchange, asked: Asked, viewer: HlsViewer): void {
    this.#sockets.bind(exchange, viewer, asked);
    // Playlists of subtitles and audio are read beside that of the video.
    const { language, rendition } = asked;
    if (language === undefined && !(rendition && isAudioRendition(rendition)))
      viewer.entry.quality = rendition && qualityIn(rendition);
    this.#send(exchange, { ...asked, session: viewer.entry.info.id });
  }

  #send(exchange: Exchange, asked: Asked): void {
    if (asked.isLow) this.#sendLow(exchange, asked);
    else this.#sendOrdinary(exchange, asked);
  }

  #cachingOf({ stream, isForEdge, isLow }: Asked): string {
    const settings = this.#options.settings();
    if (isForEdge) return moment;
    if (this.#options.access.isProtected(stream.source.place)) return 'private, no-store';
    if (!settings.noHlsCtx) return 'no-cache';
    return isLow ? moment : `public, max-age=${toHlsRules(settings).playlistMaxAgeSeconds}`;
  }

  #sendOrdinary(exchange: Exchange, asked: Asked): void {
    const { stream, language, rendition } = asked;
    const caching = this.#cachingOf(asked);
    const attempt = (): boolean => {
      const { main, subtitles } = stream;
      const own =
        rendition === undefined
          ? main.playlist(caching)
          : stream.renditions.find(rendition)?.main.playlist.text(caching);
      const playlist = language === undefined ? own : subtitles.playlist(language, main, caching);
      if (playlist) this.#answer(exchange, asked, playlist, caching);
      return playlist !== undefined;
    };
    if (attempt()) return;
    const late = () => (stream.source.isLive ? busy : notPublished);
    this.#wait(stream.waiters, exchange, attempt, firstSegmentMs(toHlsRules(this.#options.settings())), late);
  }

  #sendLow(exchange: Exchange, asked: Asked): void {
    const { stream, query, language } = asked;
    const caching = this.#cachingOf(asked);
    stream.watchLow();
    const shelf = stream.partsOf(asked.rendition);
    const directives = readDirectives(query);
    if (!shelf) {
      exchange.fail(notPublished);
      return;
    }
    const { sequence, part, isDelta } = directives ?? { sequence: undefined, part: undefined, isDelta: false };
    if (!directives || (sequence !== undefined && shelf.isPlayable && shelf.isTooFar(sequence, part))) {
      exchange.fail(badRequest('the playlist request is not valid'));
      return;
    }
    const attempt = (): boolean => {
      if (!shelf.isPlayable || (sequence !== undefined && !shelf.has(sequence, part))) return false;
      const playlist =
        language === undefined
          ? this.#prepared(shelf.playlist(isDelta), caching, this.#reportsFor(asked))
          : stream.subtitles.lowPlaylist(language, shelf, { isDelta, caching });
      this.#answer(exchange, asked, playlist, caching);
      return true;
    };
    const { settings } = this.#options;
    const waitMs = shelf.isPlayable ? 3 * shelf.targetDurationMs : firstSegmentMs(toHlsRules(settings()));
    this.#wait(stream.llWaiters, exchange, attempt, waitMs, () => busy);
  }

  #answer(exchange: Exchange, { stream, playback, session }: Asked, playlist: Prepared, caching: string): void {
    // The viewer may have lost its permission while the request waited.
    if (session !== undefined && this.#options.viewers.isKicked(session)) {
      exchange.fail(gone);
      return;
    }
    const named = this.#options.access.named(playlist, { stream, playback, caching });
    this.#sockets.count(exchange, exchange.answerPrepared(named));
  }

  /**
   * Ends of the other renditions, by which a player that changes to one asks for the right part at once. Only where all viewers have the
   * same addresses: with a session in them the text would be another for each viewer.
   */
  #reportsFor({ stream, rendition, session }: Asked): string {
    if (session !== undefined || this.#options.access.isProtected(stream.source.place)) return '';
    return stream
      .partsBeside(rendition)
      .map((other) => renditionReport(stream, other))
      .join('');
  }

  /** Prepares an answer once for all requests that wait for it. */
  #prepared(text: Buffer, caching: string, reports: string): Prepared {
    const form = `${caching} ${reports}`;
    const known = this.#lowPlaylists.get(text)?.get(form);
    if (known) return known;
    const prepared = preparedPlaylist(reports === '' ? text : Buffer.concat([text, Buffer.from(reports)]), caching);
    this.#lowPlaylists.set(text, (this.#lowPlaylists.get(text) ?? new Map()).set(form, prepared));
    return prepared;
  }

  #wait(waiters: HlsStream['waiters'], exchange: Exchange, attempt: () => boolean, ms: number, late: () => Failure) {
    const forget = waiters.add({
      attempt,
      onTimeout: () => exchange.fail(late()),
      deadlineMs: this.#options.clock.elapsedMs() + ms,
    });
    exchange.onOver(forget);
    this.#sockets.wait(exchange);
  }
}
