import type { Exchange } from '../../http/exchange.ts';
import { badRequest, notPublished, refusedFailure, wrongMethod } from '../../http/failures.ts';
import { readTarget } from '../../http/request-target.ts';
import type { AccessGate } from '../../hub/access-gate.ts';
import type { Clients } from '../../hub/clients/clients.ts';
import type { Gate } from '../../hub/clients/gate.ts';
import type { NetworkLimits } from '../../hub/network-shares.ts';
import type { HlsClock } from '../../packagers/hls/hls-clock.ts';
import { toHlsRules } from '../../packagers/hls/hls-settings.ts';
import { publicFormat } from '../../packagers/hls/hls-stream.ts';
import type { HlsStreams } from '../../packagers/hls/hls-streams.ts';
import type { ProtocolServer } from '../protocol-server.ts';
import { EdgeToken } from './edge-token.ts';
import { HlsAccess } from './hls-access.ts';
import { type HlsRequest, readHlsRequest } from './hls-request.ts';
import { PlaylistAnswers } from './playlist-answers.ts';
import { PlaylistDoor } from './playlist-door.ts';
import { RewindAnswers } from './rewind/rewind-answers.ts';
import { sendFile, sendPiece } from './send.ts';
import { HlsViewers } from './viewers/hls-viewers.ts';
import { ViewerSockets } from './viewers/viewer-sockets.ts';

export interface HlsServerOptions {
  /** Streams to serve. */
  readonly streams: HlsStreams;
  readonly gate: Gate;
  /** Absent: everybody may watch everything. */
  readonly access?: AccessGate;
  /** The hub's list of everybody who plays; sessions stand in it. */
  readonly clients: Pick<Clients, 'add' | 'delete'>;
  readonly maxViewers?: number;
  readonly perNetwork?: NetworkLimits;
  /** Token of our own programs. */
  readonly ownToken?: string;
  /** Folder of what is kept for rewinding; without it nothing is. */
  readonly rewindDirectory?: string;
}

interface HlsTarget {
  readonly path: string;
  readonly query: string;
  readonly request: HlsRequest | undefined;
}

const notAllowed = refusedFailure({ message: 'this address needs a valid signature' });

const sweepMs = 1000;
const mostTargets = 2000;
const readOnly = { ...wrongMethod, headers: ['Allow', 'GET, HEAD'] };

/** Answers for playlists and what they name, and knows who watches by them. */
export class HlsServer implements ProtocolServer {
  readonly listener = undefined;
  readonly edges = new EdgeToken();
  readonly rewind: RewindAnswers;
  readonly #streams: HlsStreams;
  readonly #clock: HlsClock;
  readonly #targets = new Map<string, Omit<HlsTarget, 'query'>>();
  readonly #viewers: HlsViewers;
  readonly #playlists: PlaylistAnswers;
  readonly #access: HlsAccess;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: HlsServerOptions) {
    const { streams } = options;
    const { clock } = streams;
    this.#streams = streams;
    this.#clock = clock;
    this.#viewers = new HlsViewers({
      gate: options.gate,
      clients: options.clients,
      elapsedMs: () => clock.elapsedMs(),
      ...(options.maxViewers === undefined ? {} : { maxViewers: options.maxViewers }),
      ...(options.perNetwork === undefined ? {} : { perNetwork: options.perNetwork }),
    });
    this.#access = new HlsAccess({
      gate: options.access,
      edges: this.edges,
      viewers: this.#viewers,
      nowMs: () => clock.dateMs(),
      listedMs: () => toHlsRules(streams.settings).windowMs,
    });
    const about = {
      access: this.#access,
      viewers: this.#viewers,
      sockets: new ViewerSockets(this.#viewers),
      settings: () => streams.settings,
      find: (key: string) => streams.find(key),
      clock,
      ownToken: options.ownToken ?? '',
      edges: this.edges,
    };
    const door = new PlaylistDoor(about);
    this.#playlists = new PlaylistAnswers({ ...about, door });
    this.rewind = new RewindAnswers({ ...about, door, directory: options.rewindDirectory ?? '' });
    streams.whenGone((key) => this.#viewers.endOfStream(key));
  }

  async open(): Promise<void> {
    this.#timer = setInterval(() => this.sweep(), sweepMs).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#viewers.close();
  }

  /** Ends sessions by the clock. Called once a second by itself. */
  sweep(): void {
    this.#viewers.expire(this.#clock.elapsedMs());
  }

  readonly serve = (exchange: Exchange): void => {
    const { method } = exchange;
    if (method !== 'GET' && method !== 'HEAD') {
      exchange.fail(readOnly);
      return;
    }
    const { url, playback } = this.#access.readUrl(exchange.url);
    const mark = url.indexOf('?');
    // Players write addresses nearly always as in the playlist: these need no decoding.
    const path = mark < 0 ? url : url.slice(0, mark);
    const piece = this.#streams.pieces.get(path);
    if (!piece) this.#find(exchange, url, playback);
    else if (this.#access.mayHavePiece(exchange, path, mark < 0 ? '' : url.slice(mark + 1))) {
      this.#playlists.countPiece(exchange, sendPiece(exchange, piece));
    } else exchange.fail(notAllowed);
  };

  #find(exchange: Exchange, url: string, playback: string | undefined): void {
    const target = this.#targetOf(url);
    const request = target?.request;
    if (!target) exchange.fail(badRequest('the request URL is not valid'));
    else if (request?.type === 'playlist') this.#servePlaylist(exchange, request.key, target.query, playback);
    else if (request?.type === 'rewind') this.rewind.servePiece(exchange, request, target);
    else if (!request) this.#servePiece(exchange, target);
    else if (!this.#access.mayHavePiece(exchange, encodedPath(target.path), target.query)) exchange.fail(notAllowed);
    else if (request.type === 'part') this.#playlists.servePart(exchange, request, () => this.#pieceOf(target.path));
    else if (request.type === 'vtt') this.#playlists.servePieceOfSubtitles(exchange, request);
    else this.#serveSegment(exchange, request, target.path);
  }

  #servePlaylist(exchange: Exchange, key: string, query: string, playback: string | undefined): void {
    const wish = this.rewind.find(key, query);
    if (wish) this.rewind.serve(exchange, { ...wish, playback });
    else this.#playlists.serve(exchange, key, query, playback);
  }

  /** Thousands ask for the same few playlists: what their addresses mean is worked out once. */
  #targetOf(url: string): HlsTarget | undefined {
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    const known = this.#targets.get(path);
    // A fragment would be part of the query here; only the whole reader knows what to make of it.
    if (known && !url.includes('#')) return { ...known, query: mark < 0 ? '' : url.slice(mark + 1) };
    const target = readTarget(url);
    if (!target) return undefined;
    const read = { path: target.path, request: readHlsRequest(target.path) };
    if (this.#targets.size >= mostTargets) this.#targets.clear();
    this.#targets.set(path, read);
    return { ...read, query: target.query };
  }

  #servePiece(exchange: Exchange, { path, query }: HlsTarget): void {
    const piece = this.#pieceOf(path);
    if (!piece) exchange.fail(notPublished);
    else if (!this.#access.mayHavePiece(exchange, encodedPath(path), query)) exchange.fail(notAllowed);
    else this.#playlists.countPiece(exchange, sendPiece(exchange, piece));
  }

  #serveSegment(exchange: Exchange, request: HlsRequest & { type: 'segment' }, path: string): void {
    const piece = this.#pieceOf(path);
    if (piece) {
      this.#playlists.countPiece(exchange, sendPiece(exchange, piece));
      return;
    }
    const file = this.#streams.fileOf(request.key, request.sequence, request.timestampMs);
    sendFile(exchange, file, publicFormat.contentType, (bytes) => this.#playlists.countPiece(exchange, bytes));
  }

  /** For an address that escapes more or less than ours do. */
  #pieceOf(path: string) {
    return this.#streams.pieces.get(encodedPath(path));
  }
}

function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
