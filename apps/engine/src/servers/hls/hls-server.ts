import type { Log } from '@weir/plane';
import type { Exchange } from '../../http/exchange.ts';
import { badRequest, notPublished, wrongMethod } from '../../http/failures.ts';
import { readTarget } from '../../http/request-target.ts';
import type { ClientEntry, Clients } from '../../hub/clients/clients.ts';
import type { Gate } from '../../hub/clients/gate.ts';
import type { NetworkLimits } from '../../hub/network-shares.ts';
import { type HlsClock, systemClock } from '../../packagers/hls/hls-clock.ts';
import { type HlsSettings, rulesOf } from '../../packagers/hls/hls-settings.ts';
import { type HlsSource, HlsStream } from '../../packagers/hls/hls-stream.ts';
import { HotPieces } from '../../packagers/hls/hot-pieces.ts';
import { findLeftovers, type Leftovers, removeLeftovers } from '../../packagers/hls/segments/leftover-files.ts';
import { StreamPaths, segmentRest } from '../../packagers/hls/segments/stream-paths.ts';
import { type HlsRequest, readHlsRequest } from './hls-request.ts';
import { HlsSessions } from './hls-sessions.ts';
import { PlaylistDesk } from './playlist-desk.ts';
import { sendFile, sendPiece } from './send.ts';

export interface HlsServerOptions {
  readonly gate: Gate;
  /** The hub's list of everybody who plays; sessions stand in it. */
  readonly clients: Pick<Clients, 'add' | 'delete'>;
  readonly settings: HlsSettings;
  /** Segments lie below it, as `<app>/<stream>-<number>-<time>.ts`. */
  readonly directory: string;
  readonly log: Log;
  readonly clock?: HlsClock;
  readonly maxSessions?: number;
  readonly perNetwork?: NetworkLimits;
  /** What players that are no viewers show. */
  readonly ownToken?: string;
}

interface HlsTarget {
  readonly path: string;
  readonly query: string;
  readonly request: HlsRequest | undefined;
}

const sweepMs = 1000;
const mostTargets = 2000;
const readOnly = { ...wrongMethod, headers: ['Allow', 'GET, HEAD'] };

/** HLS of every stream: makes it from the first frame on, and answers for playlists and what they name. */
export class HlsServer {
  readonly #options: HlsServerOptions;
  readonly #clock: HlsClock;
  readonly #streams = new Map<string, HlsStream>();
  readonly #hot = new HotPieces();
  readonly #targets = new Map<string, Omit<HlsTarget, 'query'>>();
  readonly #sessions: HlsSessions;
  readonly #desk: PlaylistDesk;
  #settings: HlsSettings;
  #leftovers: Leftovers | undefined;
  #removeLeftoversAtMs = 0;
  #removal: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: HlsServerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock(sweepMs);
    this.#settings = options.settings;
    this.#sessions = new HlsSessions({
      gate: options.gate,
      clients: options.clients,
      elapsedMs: () => this.#clock.elapsedMs(),
      lifetimeMs: () => 2 * rulesOf(this.#settings).windowMs,
      ...(options.maxSessions === undefined ? {} : { maxSessions: options.maxSessions }),
      ...(options.perNetwork === undefined ? {} : { perNetwork: options.perNetwork }),
    });
    this.#desk = new PlaylistDesk({
      sessions: this.#sessions,
      settings: () => this.#settings,
      find: (key) => this.#streams.get(key),
      clock: this.#clock,
      ownToken: options.ownToken ?? '',
    });
  }

  /** To be awaited before the first stream: learns where numbering stood when the engine last ran. */
  async open(): Promise<void> {
    this.#leftovers = await findLeftovers(this.#options.directory);
    // Players and the control plane may still want the newest of them for a while.
    this.#removeLeftoversAtMs = this.#clock.elapsedMs() + 2 * rulesOf(this.#settings).windowMs;
    this.#arm();
  }

  /** Running streams take a new length at their next cut; viewers stay. */
  update(settings: HlsSettings): void {
    this.#settings = settings;
  }

  /** To be called for every stream the hub opens. */
  follow(source: HlsSource): void {
    const stream = this.#streams.get(source.key) ?? this.#start(source);
    stream.follow(source);
  }

  readonly serve = (exchange: Exchange): void => {
    const { method, url } = exchange;
    if (method !== 'GET' && method !== 'HEAD') {
      exchange.fail(readOnly);
      return;
    }
    const mark = url.indexOf('?');
    // As players write it, which is nearly always how it stands in the playlist: no decoding for those.
    const piece = this.#hot.get(mark < 0 ? url : url.slice(0, mark));
    if (piece) this.#desk.count(exchange, sendPiece(exchange, piece));
    else this.#look(exchange, url);
  };

  /** Viewers with a session. */
  clients(): ClientEntry[] {
    return this.#sessions.all();
  }

  kick(id: string): boolean {
    return this.#sessions.kick(id);
  }

  /** Everything that time ends. Called once a second by itself. */
  sweep(): void {
    const nowMs = this.#clock.elapsedMs();
    this.#sessions.expire(nowMs);
    for (const [key, stream] of this.#streams) {
      if (!this.#sweepOne(stream, nowMs)) continue;
      this.#streams.delete(key);
      this.#sessions.endOfStream(key);
    }
    if (!this.#leftovers || this.#removal || nowMs < this.#removeLeftoversAtMs) return;
    this.#removal = removeLeftovers(this.#leftovers);
  }

  /** Runs by the clock for all: a stream that cannot be looked after costs no other one. */
  #sweepOne(stream: HlsStream, nowMs: number): boolean {
    try {
      return stream.sweep(nowMs);
    } catch (error) {
      this.#options.log.error({ err: error, stream: stream.source.key }, 'hls stream failed');
      return false;
    }
  }

  /** Files stay: players may outlive a restart. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const stream of this.#streams.values()) stream.close();
    this.#sessions.close();
    await Promise.all([this.#removal, ...[...this.#streams.values()].map((stream) => stream.idle())]);
  }

  #arm(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.sweep();
      this.#arm();
    }, sweepMs).unref();
  }

  #start(source: HlsSource): HlsStream {
    const { directory, gate, log } = this.#options;
    const beginning = new StreamPaths(directory, source.key).file('');
    const stream = new HlsStream(source, {
      directory,
      gate,
      clock: this.#clock,
      hot: this.#hot,
      rules: () => rulesOf(this.#settings),
      log: log.child({ stream: source.key }),
      firstSequence: this.#leftovers?.next.get(beginning) ?? 0,
    });
    this.#streams.set(source.key, stream);
    return stream;
  }

  #look(exchange: Exchange, url: string): void {
    const target = this.#targetOf(url);
    const request = target?.request;
    if (!target) exchange.fail(badRequest('the address of this request is not valid'));
    else if (!request) this.#lookForPiece(exchange, target.path);
    else if (request.type === 'playlist') this.#desk.serve(exchange, request.key, target.query);
    else if (request.type === 'part') this.#desk.servePart(exchange, request, () => this.#pieceOf(target.path));
    else this.#serveSegment(exchange, request, target.path);
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

  #lookForPiece(exchange: Exchange, path: string): void {
    const piece = this.#pieceOf(path);
    if (piece) this.#desk.count(exchange, sendPiece(exchange, piece));
    else exchange.fail(notPublished);
  }

  #serveSegment(exchange: Exchange, request: HlsRequest & { type: 'segment' }, path: string): void {
    const piece = this.#pieceOf(path);
    if (piece) {
      this.#desk.count(exchange, sendPiece(exchange, piece));
      return;
    }
    const rest = segmentRest(request.sequence, request.timestampMs);
    const file = new StreamPaths(this.#options.directory, request.key).file(rest);
    sendFile(exchange, file, 'video/mp2t', (bytes) => this.#desk.count(exchange, bytes));
  }

  /** For an address that escapes more or less than ours do. */
  #pieceOf(path: string) {
    return this.#hot.get(path.split('/').map(encodeURIComponent).join('/'));
  }
}
