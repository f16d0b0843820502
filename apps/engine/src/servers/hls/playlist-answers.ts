import type { HlsSettings } from '@weir/engine-api';
import type { Exchange } from '../../http/exchange.ts';
import { badRequest, busy, type Failure, notPublished, refusedFailure } from '../../http/failures.ts';
import type { Prepared } from '../../http/prepared.ts';
import type { ClientInfo } from '../../hub/clients/client-info.ts';
import { Clients } from '../../hub/clients/clients.ts';
import { Refused } from '../../hub/clients/gate.ts';
import { recognise } from '../../hub/clients/own-clients.ts';
import type { HlsClock } from '../../packagers/hls/hls-clock.ts';
import { isAudioRendition, qualityIn } from '../../packagers/hls/hls-renditions.ts';
import { type HlsRules, overflowRatio, toHlsRules } from '../../packagers/hls/hls-settings.ts';
import type { HlsStream } from '../../packagers/hls/hls-stream.ts';
import { preparedPlaylist } from '../../packagers/hls/prepared-pieces.ts';
import { siteOf } from '../site-of.ts';
import { type Asked, AskedStreams } from './asked-streams.ts';
import type { EdgeToken } from './edge-token.ts';
import type { HlsAccess } from './hls-access.ts';
import { type HlsRequest, parseHlsContext, readDirectives, type VttRequest } from './hls-request.ts';
import { masterText, renditionReport } from './master/master-text.ts';
import { sendPiece } from './send.ts';
import { type HlsViewer, HlsViewers } from './viewers/hls-viewers.ts';
import { ViewerSockets } from './viewers/viewer-sockets.ts';

interface Options {
  readonly viewers: HlsViewers;
  readonly settings: () => HlsSettings;
  readonly find: (key: string) => HlsStream | undefined;
  readonly clock: HlsClock;
  /** Token of our own programs. */
  readonly ownToken: string;
  readonly edges: EdgeToken;
  readonly access: HlsAccess;
}

/**
 * A stream that just began has no segment yet. Players take a playlist that is late better than one that is not there: some
 * ask once more after ten seconds, none asks again after a 404. So they wait until the longest first segment is there.
 */
const firstSegmentMs = ({ fragmentMs }: HlsRules) => Math.max(8000, fragmentMs * overflowRatio + 1000);
/** Longest query of a viewer, which is kept with the viewer and with notices about it. Tokens for protected streams may be longer. */
const longestParam = 1024;
const longestProtectedParam = 3072;
const gone = refusedFailure({ message: 'this session was ended' });
const refusedByEdge = refusedFailure({ message: 'this stream cannot be watched without permission' });
const uncheckedEdge = refusedFailure({
  message: 'this edge does not check who may watch, update its configuration to deliver protected streams',
});
const unknownEdge = refusedFailure({ message: 'the edge token does not match the one on this server' });
/** Name that no stream can have, by which the console checks that an edge reaches this server with the right token. */
const edgeCheckKey = 'weir-edge';
const edgeCheck = preparedPlaylist(Buffer.from('#EXTM3U\n'), 'no-store');
/** Cache lifetime of a playlist that changes several times a second, or was requested by an edge. */
const moment = 'public, max-age=1';
const noStore = ['Cache-Control', 'no-store'];
const nothing = Buffer.alloc(0);

/** Answers for playlists: who may read them, and when there is something to read. */
export class PlaylistAnswers {
  readonly #options: Options;
  readonly #sockets: ViewerSockets;
  readonly #asked: AskedStreams;
  /** Prepared answers by text and cache lifetime. */
  readonly #lowPlaylists = new WeakMap<Buffer, Map<string, Prepared>>();

  constructor(options: Options) {
    this.#options = options;
    this.#sockets = new ViewerSockets(options.viewers);
    this.#asked = new AskedStreams({ ...options, elapsedMs: () => options.clock.elapsedMs() });
  }

  /** Notes that a segment, a part or an init section was sent. */
  countPiece(exchange: Exchange, bytes: number): void {
    this.#sockets.countPiece(exchange, bytes);
  }

  serve(exchange: Exchange, key: string, query: string, playback?: string): void {
    const { access, edges } = this.#options;
    const caller = edges.read(exchange);
    const found = this.#asked.find(key, query);
    const asked = found && playback !== undefined ? { ...found, playback } : found;
    const isProtected = asked !== undefined && access.isProtected(asked.stream.source.place);
    if (caller === 'stranger') exchange.fail(unknownEdge);
    else if (caller === 'edge' && key === edgeCheckKey && !access.isEdgeQuestion(exchange))
      exchange.answerPrepared(edgeCheck);
    // An open stream needs no check: the edge learns that when it requests the playlist.
    else if (!asked && access.isEdgeQuestion(exchange)) exchange.answer(204, noStore, nothing);
    else if (!asked) exchange.fail(notPublished);
    else if (access.isEdgeQuestion(exchange)) this.#answerEdge(exchange, asked);
    else if (caller === 'edge' && isProtected) this.#serveProtectedEdge(exchange, asked);
    else if (caller === 'edge') this.#serveEdge(exchange, { ...asked, isForEdge: true });
    // Requests without a session cannot be counted or ended.
    else if (isProtected || !this.#options.settings().noHlsCtx) this.#serveInSession(exchange, asked);
    else if (this.#asked.mayBeNew(asked)) this.#sendMaster(exchange, asked);
    else this.#send(exchange, asked);
  }

  #answerEdge(exchange: Exchange, { stream, query }: Asked): void {
    const isAllowed = this.#options.access.mayViewerOfEdge(exchange, stream.source.place, query);
    if (isAllowed) exchange.answer(204, noStore, nothing);
    else exchange.fail(refusedByEdge);
  }

  /** A list of variants is the same for all viewers of an edge and could not carry their tokens on, so they get the playlist itself. */
  #serveProtectedEdge(exchange: Exchange, asked: Asked): void {
    if (this.#options.access.isCheckingEdge(exchange)) this.#send(exchange, { ...asked, isForEdge: true });
    else exchange.fail(uncheckedEdge);
  }

  /** Always what there is to choose from, then what was chosen: whichever viewer asked first, all others get the same. */
  #serveEdge(exchange: Exchange, asked: Asked): void {
    if (asked.isMedia || asked.language !== undefined || asked.rendition !== undefined) this.#send(exchange, asked);
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

  #serveInSession(exchange: Exchange, asked: Asked): void {
    const { viewers } = this.#options;
    const id = parseHlsContext(asked.query);
    if (id === undefined && asked.language !== undefined) {
      exchange.fail(notPublished);
      return;
    }
    if (id === undefined) {
      const newId = Clients.newId();
      this.#admit(exchange, asked, newId, () => this.#sendMaster(exchange, asked, newId));
      return;
    }
    const viewer = viewers.see(id);
    if (viewer && !this.#options.access.mayGoOn(viewer.entry.info, exchange)) exchange.fail(gone);
    else if (viewer?.key === asked.stream.source.key) this.#sendTo(exchange, asked, viewer);
    else if (viewer || !HlsViewers.isId(id)) exchange.fail(notPublished);
    else if (viewers.isKicked(id)) exchange.fail(gone);
    // Given out before the engine restarted, or silent for a while: the player goes on and does not notice.
    else this.#admit(exchange, asked, id, (admitted) => this.#sendTo(exchange, asked, viewers.see(id) ?? admitted));
  }

  #admit(exchange: Exchange, asked: Asked, id: string, onAdmitted: (viewer: HlsViewer) => void): void {
    const { viewers } = this.#options;
    const { place } = asked.stream.source;
    const longest = this.#options.access.isProtected(place) ? longestProtectedParam : longestParam;
    const info: ClientInfo = {
      id,
      kind: 'hls-play',
      address: exchange.address,
      place,
      param: asked.query === '' ? '' : `?${asked.query}`.slice(0, longest),
      tcUrl: '',
      pageUrl: (exchange.header('referer') ?? '').slice(0, 512),
      site: siteOf(exchange),
      connectedAt: new Date(this.#options.clock.dateMs()),
    };
    viewers
      .admit(recognise(info, this.#options.ownToken))
      .then(onAdmitted, (error: unknown) => {
        exchange.fail(error instanceof Refused ? refusedFailure(error) : busy);
      })
      // A fault in one answer must not end the process.
      .catch(() => exchange.destroy());
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
