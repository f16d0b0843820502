import type { Socket } from 'node:net';
import { defaultVhost, vhostOf } from '@weir/dialect';
import { codecString, MalformedMedia } from '@weir/media';
import type { Exchange } from '../../http/exchange.ts';
import { badRequest, busy, type Failure, notPublished } from '../../http/failures.ts';
import type { Prepared } from '../../http/prepared.ts';
import type { ClientInfo } from '../../hub/clients/client-info.ts';
import { Clients } from '../../hub/clients/clients.ts';
import { Refused } from '../../hub/clients/gate.ts';
import { recognise } from '../../hub/clients/own-clients.ts';
import type { HlsClock } from '../../packagers/hls/hls-clock.ts';
import { type HlsSettings, rulesOf } from '../../packagers/hls/hls-settings.ts';
import type { HlsStream } from '../../packagers/hls/hls-stream.ts';
import { masterPlaylist } from '../../packagers/hls/playlist.ts';
import { preparedPlaylist } from '../../packagers/hls/prepared-pieces.ts';
import { contextOf, type HlsRequest, llKeyOf, llMark, readDirectives, withContext } from './hls-request.ts';
import { type HlsViewer, HlsViewers } from './hls-viewers.ts';
import { sendPiece } from './send.ts';

interface Options {
  readonly viewers: HlsViewers;
  readonly settings: () => HlsSettings;
  readonly find: (key: string) => HlsStream | undefined;
  readonly clock: HlsClock;
  /** What our own programs show. */
  readonly ownToken: string;
}

/** A stream that somebody asks for, in one of its two forms. */
interface Asked {
  readonly stream: HlsStream;
  readonly isLow: boolean;
  readonly query: string;
}

/**
 * A stream that just began has no segment yet. Players take a playlist that is late better than one that is not there;
 * beyond ten seconds the common ones give up.
 */
const firstSegmentMs = 8000;
/** Kept for each viewer, and with every notice of one that waits to be told. No token is this long. */
const longestParam = 1024;
const refusedFailure = (message: string): Failure => ({ status: 403, code: 3000, message });
const gone = refusedFailure('this session was ended');

/** Answers for playlists: who may read them, and when there is something to read. */
export class PlaylistAnswers {
  readonly #options: Options;
  /** Segments carry no session in their address; the connection they are asked on nearly always has one. */
  readonly #bySocket = new WeakMap<Socket, HlsViewer>();

  constructor(options: Options) {
    this.#options = options;
  }

  count({ socket }: Exchange, bytes: number): void {
    const viewer = this.#bySocket.get(socket);
    if (viewer) viewer.entry.counters.bytesOut += bytes;
  }

  serve(exchange: Exchange, key: string, query: string): void {
    const asked = this.#find(keyIn(key, query), query);
    if (!asked) exchange.fail(notPublished);
    else if (this.#options.settings().noHlsCtx) this.#send(exchange, asked);
    else this.#serveInSession(exchange, asked);
  }

  /** A part that players were told of before it exists. */
  servePart(exchange: Exchange, request: HlsRequest & { type: 'part' }, find: () => Prepared | undefined): void {
    const stream = this.#options.find(request.key);
    const shelf = stream?.lowShelf;
    const attempt = (): boolean => {
      const piece = find();
      if (piece) this.count(exchange, sendPiece(exchange, piece));
      else if (!shelf?.isHinted(request.sequence, request.part)) exchange.fail(notPublished);
      else return false;
      return true;
    };
    if (stream && shelf) this.#wait(stream.llWaiters, exchange, attempt, 3 * shelf.targetDurationMs, notPublished);
    else attempt();
  }

  #find(key: string, query: string): Asked | undefined {
    const exact = this.#options.find(key);
    if (exact?.isWatchable) return { stream: exact, isLow: false, query };
    const lowKey = llKeyOf(key);
    const stream = lowKey === undefined ? undefined : this.#options.find(lowKey);
    return stream?.isWatchable ? { stream, isLow: true, query } : undefined;
  }

  #serveInSession(exchange: Exchange, asked: Asked): void {
    const { viewers } = this.#options;
    const id = contextOf(asked.query);
    if (id === undefined) {
      const newId = Clients.newId();
      this.#admit(exchange, asked, newId, () => this.#sendMaster(exchange, asked, newId));
      return;
    }
    const viewer = viewers.see(id);
    if (viewer?.key === asked.stream.source.key) this.#sendTo(exchange, asked, viewer);
    else if (viewer || !HlsViewers.isId(id)) exchange.fail(notPublished);
    else if (viewers.isKicked(id)) exchange.fail(gone);
    // Given out before the engine restarted: the player goes on and does not notice.
    else this.#admit(exchange, asked, id, (admitted) => this.#sendTo(exchange, asked, admitted));
  }

  #admit(exchange: Exchange, asked: Asked, id: string, onAdmitted: (viewer: HlsViewer) => void): void {
    const { viewers } = this.#options;
    const info: ClientInfo = {
      id,
      kind: 'hls-play',
      address: exchange.address,
      place: asked.stream.source.place,
      param: asked.query === '' ? '' : `?${asked.query}`.slice(0, longestParam),
      tcUrl: '',
      pageUrl: (exchange.header('referer') ?? '').slice(0, 512),
      connectedAt: new Date(this.#options.clock.dateMs()),
    };
    viewers
      .admit(recognise(info, this.#options.ownToken))
      .then(onAdmitted, (error: unknown) => {
        exchange.fail(error instanceof Refused ? refusedFailure(error.message) : busy);
      })
      // A fault in one answer must not end the process.
      .catch(() => exchange.destroy());
  }

  #sendMaster(exchange: Exchange, { stream, isLow, query }: Asked, id: string): void {
    const { video, audio, place } = stream.source;
    const mark = isLow ? llMark : '';
    const text = masterPlaylist({
      uri: `${encodeURIComponent(place.name.toWellFormed())}${mark}.m3u8?${withContext(query, id)}`,
      bandwidth: stream.packager.bitsPerSecond || 2_000_000,
      // Only where the tracks are sure: a player believes this and would never look for another one.
      codecs: isLow ? codecsOf([video, audio]) : '',
      width: video?.width ?? 0,
      height: video?.height ?? 0,
    });
    exchange.answerPrepared(preparedPlaylist(Buffer.from(text), 'no-cache'));
  }

  #sendTo(exchange: Exchange, asked: Asked, viewer: HlsViewer): void {
    this.#bySocket.set(exchange.socket, viewer);
    this.#send(exchange, asked);
  }

  #send(exchange: Exchange, asked: Asked): void {
    if (asked.isLow) this.#sendLow(exchange, asked);
    else this.#sendOrdinary(exchange, asked);
  }

  #sendOrdinary(exchange: Exchange, { stream }: Asked): void {
    const settings = this.#options.settings();
    const maxAge = rulesOf(settings).playlistMaxAgeSeconds;
    const caching = settings.noHlsCtx ? `public, max-age=${maxAge}` : 'no-cache';
    const attempt = (): boolean => {
      const playlist = stream.packager.playlist(caching);
      if (playlist) this.count(exchange, exchange.answerPrepared(playlist));
      return playlist !== undefined;
    };
    if (attempt()) return;
    this.#wait(stream.waiters, exchange, attempt, firstSegmentMs, notPublished);
  }

  #sendLow(exchange: Exchange, { stream, query }: Asked): void {
    const shelf = stream.watchLow();
    const directives = readDirectives(query);
    if (!shelf) {
      exchange.fail(notPublished);
      return;
    }
    const { sequence, part, isDelta } = directives ?? { sequence: undefined, part: undefined, isDelta: false };
    if (!directives || (sequence !== undefined && shelf.isPlayable && shelf.isTooFar(sequence, part))) {
      exchange.fail(badRequest('this playlist cannot be asked for'));
      return;
    }
    const attempt = (): boolean => {
      if (!shelf.isPlayable || (sequence !== undefined && !shelf.has(sequence, part))) return false;
      this.count(exchange, exchange.answerPrepared(preparedPlaylist(shelf.playlist(isDelta), 'no-cache')));
      return true;
    };
    const waitMs = shelf.isPlayable ? 3 * shelf.targetDurationMs : firstSegmentMs;
    this.#wait(stream.llWaiters, exchange, attempt, waitMs, busy);
  }

  #wait(waiters: HlsStream['waiters'], exchange: Exchange, attempt: () => boolean, ms: number, late: Failure) {
    const forget = waiters.add({
      attempt,
      onTimeout: () => exchange.fail(late),
      deadlineMs: this.#options.clock.elapsedMs() + ms,
    });
    exchange.onOver(forget);
  }
}

/** The key of a stream in the vhost that the query names. */
function keyIn(key: string, query: string): string {
  const vhost = query.includes('vhost=') ? vhostOf(query) : undefined;
  return vhost === undefined || vhost === defaultVhost ? key : `${vhost}//${key}`;
}

function codecsOf(configs: readonly (Parameters<typeof codecString>[0] | undefined)[]): string {
  try {
    return configs.flatMap((config) => (config ? [codecString(config)] : [])).join(',');
  } catch (error) {
    if (error instanceof MalformedMedia) return '';
    throw error;
  }
}
