import type { Socket } from 'node:net';
import { type Cue, placeOfUrl, type SubtitleTrack } from '@weir/streams';
import type { Exchange } from '../../http/exchange.ts';
import { busy, notPublished, refusedFailure, wrongMethod } from '../../http/failures.ts';
import type { AccessGate, Watcher } from '../../hub/access-gate.ts';
import { Refused } from '../../hub/clients/gate.ts';
import { isFromConsole } from '../../hub/clients/own-clients.ts';
import { dropSocket } from '../../hub/fan-out/drop-socket.ts';
import type { Hub } from '../../hub/hub.ts';
import { type NetworkLimits, NetworkShares } from '../../hub/network-shares.ts';
import type { Stream } from '../../hub/stream.ts';
import type { StreamSubtitles, SubtitleListener } from '../../hub/stream-subtitles.ts';
import type { ProtocolServer } from '../protocol-server.ts';
import { siteOf } from '../site-of.ts';

interface CueFeedOptions {
  readonly beatMs: number;
  /** Called when the last reader left or the stream is over. */
  readonly onEmpty: () => void;
}

/** Players are behind by a minute at most. */
const recentMs = 90_000;
/** Backlog of a listener that does not read: the text of minutes. */
const mostWaitingBytes = 128 * 1024;

/** The cues of one stream as server-sent events: written once, sent to everybody. */
class CueFeed implements SubtitleListener {
  readonly #subtitles: StreamSubtitles;
  readonly #options: CueFeedOptions;
  readonly #sockets = new Set<Socket>();
  readonly #leave: () => void;
  readonly #beat: NodeJS.Timeout;
  /** Cached first message for new listeners. */
  #greeting: Buffer | undefined;

  constructor(subtitles: StreamSubtitles, options: CueFeedOptions) {
    this.#subtitles = subtitles;
    this.#options = options;
    this.#leave = subtitles.listen(this);
    // The beat also syncs players' clocks and keeps proxies from closing an idle connection.
    this.#beat = setInterval(() => this.#send('time', {}), options.beatMs).unref();
  }

  add(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#remove(socket));
    this.#greeting ??= this.#greet();
    // First, since only this is of now: by it a player knows how far behind it is.
    socket.write(this.#event('time', {}));
    socket.write(this.#greeting);
  }

  onTracks(tracks: readonly SubtitleTrack[]): void {
    this.#greeting = undefined;
    this.#send('tracks', { tracks });
  }

  onCues(language: string, cues: readonly Cue[]): void {
    this.#greeting = undefined;
    this.#send('cues', { language, cues });
  }

  onEnd(): void {
    const last = this.#event('end', {});
    this.#close();
    for (const socket of this.#sockets) socket.end(last);
  }

  /** Ends all connections without a message. Clients reconnect by themselves. */
  drop(): void {
    this.#close();
    for (const socket of this.#sockets) dropSocket(socket);
  }

  #remove(socket: Socket): void {
    this.#sockets.delete(socket);
    if (this.#sockets.size === 0) this.#close();
  }

  #close(): void {
    clearInterval(this.#beat);
    this.#leave();
    this.#options.onEmpty();
  }

  #greet(): Buffer {
    const { tracks, nowMs } = this.#subtitles;
    const said = tracks.flatMap(({ language }) => {
      const byArrival = new Map<number, Cue[]>();
      for (const { arrivedMs, ...cue } of this.#subtitles.shelf(language)?.all() ?? []) {
        if (cue.endMs <= nowMs - recentMs) continue;
        byArrival.set(arrivedMs, [...(byArrival.get(arrivedMs) ?? []), cue]);
      }
      return [...byArrival].map(([knownMs, cues]) => this.#event('past', { knownMs, language, cues }));
    });
    return Buffer.concat([this.#event('tracks', { tracks }), ...said]);
  }

  #send(name: string, data: object): void {
    const event = this.#event(name, data);
    for (const socket of this.#sockets) {
      if (socket.writableLength > mostWaitingBytes) dropSocket(socket);
      else socket.write(event);
    }
  }

  #event(name: string, data: object): Buffer {
    const text = JSON.stringify({ nowMs: Math.round(this.#subtitles.nowMs), ...data });
    return Buffer.from(`event: ${name}\ndata: ${text}\n\n`);
  }
}

interface Options {
  readonly hub: Pick<Hub, 'find'>;
  /** Absent: everybody may watch everything. */
  readonly access?: Pick<AccessGate, 'resolve' | 'ruleOf' | 'assertMayWatch' | 'mayGoOnWatching'>;
  /** Seals the tickets of the console's own players. */
  readonly ownToken?: string;
  readonly beatMs?: number;
  readonly perNetwork?: NetworkLimits;
}

const headers = [
  'Content-Type',
  'text/event-stream; charset=utf-8',
  'Cache-Control',
  'no-store',
  // Turns off nginx's buffering, which would delay cues.
  'X-Accel-Buffering',
  'no',
];
/** Same limits as HLS: one listener per viewer. */
const perNetwork: NetworkLimits = { network: 10_000, site: 20_000, region: 40_000 };
const nothing = Buffer.alloc(0);
/** Interval between looks whether a listener may still listen. */
const lookMs = 1000;

/**
 * `/{app}/{stream}.cues`: what is said, as it becomes known, for players that show it over the video. Who may watch may read, for as long as
 * that is so. A listener is no viewer more.
 */
export class CueServer implements ProtocolServer {
  readonly listener = undefined;
  readonly #options: Options;
  readonly #shares: NetworkShares;
  readonly #feeds = new Map<Stream, CueFeed>();

  constructor(options: Options) {
    this.#options = options;
    this.#shares = new NetworkShares(options.perNetwork ?? perNetwork);
  }

  /** The front door has the port. */
  async open(): Promise<void> {}

  async close(): Promise<void> {
    for (const feed of [...this.#feeds.values()]) feed.drop();
  }

  readonly serve = (exchange: Exchange): void => {
    const { method, url, address } = exchange;
    const asked = placeOfUrl(url, '.cues');
    const { access, hub, ownToken } = this.#options;
    const place = asked && (access?.resolve(asked.place) ?? asked.place);
    if (method !== 'GET' && method !== 'HEAD') exchange.fail(wrongMethod);
    else if (!asked || !place) exchange.fail(notPublished);
    else if (!access?.ruleOf(place)) this.#answer(exchange, hub.find(place));
    else if (ownToken && isFromConsole({ place, param: asked.param }, ownToken)) {
      this.#answer(exchange, hub.find(place));
    } else {
      const watcher: Watcher = { place, param: asked.param, address, site: siteOf(exchange) };
      access
        .assertMayWatch(watcher)
        .then(() => this.#answer(exchange, hub.find(place), watcher))
        .catch((error: unknown) => exchange.fail(error instanceof Refused ? refusedFailure(error) : busy));
    }
  };

  #answer(exchange: Exchange, stream: Stream | undefined, watcher?: Watcher): void {
    const { method, address } = exchange;
    if (!stream) exchange.fail(notPublished);
    // A page that hears this asks again in a while: no connection is kept for a stream without subtitles.
    else if (stream.subtitles.tracks.length === 0) exchange.answer(204, ['Cache-Control', 'no-store'], nothing);
    else if (method === 'HEAD') exchange.answer(200, headers, nothing);
    else if (!this.#shares.take(address)) exchange.fail(busy);
    else this.#listen(exchange, stream, watcher);
  }

  #listen(exchange: Exchange, stream: Stream, watcher: Watcher | undefined): void {
    const { address } = exchange;
    const socket = exchange.startStream(headers);
    socket.once('close', () => this.#shares.giveBack(address));
    if (watcher) this.#watch(socket, watcher);
    // The client sends nothing more than its end.
    socket.once('end', () => socket.destroy()).resume();
    this.#feedOf(stream).add(socket);
  }

  /** The permission may end during the response. */
  #watch(socket: Socket, watcher: Watcher): void {
    const look = () => {
      if (!this.#options.access?.mayGoOnWatching(watcher)) dropSocket(socket);
    };
    const timer = setInterval(look, lookMs).unref();
    socket.once('close', () => clearInterval(timer));
  }

  #feedOf(stream: Stream): CueFeed {
    const known = this.#feeds.get(stream);
    if (known) return known;
    const feed: CueFeed = new CueFeed(stream.subtitles, {
      beatMs: this.#options.beatMs ?? 10_000,
      onEmpty: () => {
        if (this.#feeds.get(stream) === feed) this.#feeds.delete(stream);
      },
    });
    this.#feeds.set(stream, feed);
    return feed;
  }
}
