import type { Socket } from 'node:net';
import type { Exchange } from '../../../http/exchange.ts';
import type { HlsStream } from '../../../packagers/hls/hls-stream.ts';
import type { Asked } from '../asked-streams.ts';
import { type HlsViewer, type HlsViewers, leastPatienceMs } from './hls-viewers.ts';

const segmentName = /-(\d{1,15})-\d{1,15}\.ts(?:\?|$)/;
const partName = /\.ll-(\d{1,15})(?:-(\d{1,6}))?\.m4s(?:\?|$)/;
/** Players keep three target durations in reserve (RFC 8216, 6.3.3) and may fetch the oldest of them last. */
const reserveTargets = 2;

/**
 * Distance of the requested piece from the newest one, on the clock of the stream. For a player that does not wait for
 * parts its allowed reserve is subtracted. Undefined if the piece is not of this stream.
 */
function distanceMs({ main, parts }: HlsStream, url: string, isBlocking: boolean): number | undefined {
  const part = partName.exec(url);
  if (part) {
    const times = parts?.timesOf(Number(part[1]), part[2] === undefined ? undefined : Number(part[2]));
    if (!parts || !times) return undefined;
    return behind(parts.endMs - times.endMs, isBlocking ? 0 : reserveTargets * parts.targetDurationMs);
  }
  const segment = segmentName.exec(url);
  const times = segment ? main.timesOf(Number(segment[1])) : undefined;
  return times && behind(main.endMs - times.endMs, reserveTargets * main.targetDurationMs);
}

function behind(distance: number, reserveMs: number): number {
  return Math.max(0, distance - reserveMs);
}

/** Stream that a viewer follows, and its distance from the live edge. */
interface Watching {
  readonly viewer: HlsViewer;
  /** Undefined for one that went back in time. */
  stream: HlsStream | undefined;
  /** True for a low-latency player that waits for each part. */
  isBlocking: boolean;
  /** Distance of the last requested piece. */
  lastMs: number;
  behindMs: number;
}

/** Allowance for the way of a request and for the interval of the check that ends sessions. */
const marginMs = 1000;

/** Limit of viewers per connection: all pages of a browser share one by HTTP/2. */
const mostOfSocket = 8;

/** True for addresses of a stream's playlists and pieces. */
function isBelow(url: string, key: string): boolean {
  const start = `/${encodeURI(key)}`;
  return url.startsWith(start) && '-.'.includes(url.charAt(start.length));
}

/**
 * Finds the viewer that requests a piece. Addresses of segments name no session, but nearly every connection has one viewer. Otherwise a client
 * address with a single viewer decides.
 */
export class ViewerSockets {
  readonly #viewers: HlsViewers;
  /** Viewers of a connection, latest first. */
  readonly #bySocket = new WeakMap<Socket, readonly Watching[]>();
  /** Viewer of an exchange, for connections with several viewers. */
  readonly #byExchange = new WeakMap<Exchange, Watching>();
  readonly #byViewer = new WeakMap<HlsViewer, Watching>();

  constructor(viewers: HlsViewers) {
    this.#viewers = viewers;
  }

  /** Notes that a viewer requests a playlist. */
  bind(exchange: Exchange, viewer: HlsViewer, { stream, isLow, query }: Asked): void {
    const isBlocking = isLow && query.includes('_HLS_msn=');
    this.#bind(exchange, viewer, stream, isBlocking);
    // Players load the playlist once per target duration, and a blocking one for every part. A viewer that missed two has left.
    const targetMs = isLow ? (stream.parts?.targetDurationMs ?? 0) : stream.main.targetDurationMs;
    viewer.patienceMs = isBlocking ? leastPatienceMs : Math.max(leastPatienceMs, 2 * targetMs + marginMs);
  }

  /** Notes that a viewer requests the playlist of what was live a while ago. Its distance from the live edge is chosen, no delay. */
  bindRewinding(exchange: Exchange, viewer: HlsViewer, targetMs: number): void {
    this.#bind(exchange, viewer, undefined, false);
    viewer.patienceMs = Math.max(leastPatienceMs, 2 * targetMs + marginMs);
  }

  #bind(exchange: Exchange, viewer: HlsViewer, stream: HlsStream | undefined, isBlocking: boolean): void {
    let watching = this.#byViewer.get(viewer);
    if (!watching) {
      watching = { viewer, stream, isBlocking, lastMs: 0, behindMs: 0 };
      const { entry } = viewer;
      const known = watching;
      entry.lag = () => known.behindMs;
      this.#byViewer.set(viewer, watching);
    }
    watching.stream = stream;
    watching.isBlocking = isBlocking;
    if (!stream) watching.behindMs = 0;
    if (this.#remember(exchange.socket, watching) > 1) this.#byExchange.set(exchange, watching);
  }

  /** Returns the number of viewers of a connection. */
  #remember(socket: Socket, watching: Watching): number {
    const known = this.#bySocket.get(socket) ?? [];
    if (known[0] === watching) return known.length;
    const others = known.filter((other) => other !== watching).slice(0, mostOfSocket - 1);
    this.#bySocket.set(socket, [watching, ...others]);
    return 1 + others.length;
  }

  count(exchange: Exchange, bytes: number): void {
    const watching = this.#find(exchange);
    if (watching) watching.viewer.entry.counters.bytesOut += bytes;
  }

  countPiece(exchange: Exchange, bytes: number): void {
    if (this.#viewers.size === 0) return;
    const watching = this.#find(exchange) ?? this.#findByAddress(exchange);
    if (!watching) return;
    const { viewer, stream, isBlocking } = watching;
    viewer.entry.counters.bytesOut += bytes;
    this.#viewers.see(viewer.entry.info.id);
    const ms = stream && distanceMs(stream, exchange.url, isBlocking);
    if (ms === undefined) return;
    // Minimum of two: a player that starts or recovers loads several at once and is then where the others are.
    watching.behindMs = Math.min(ms, watching.lastMs);
    watching.lastMs = ms;
  }

  /** Marks a viewer as waiting for an answer. */
  wait(exchange: Exchange): void {
    const watching = this.#find(exchange);
    if (!watching || exchange.isOver) return;
    const { viewer } = watching;
    viewer.waiting += 1;
    exchange.onOver(() => {
      viewer.waiting -= 1;
      this.#viewers.see(viewer.entry.info.id);
    });
  }

  /** Finds, among several viewers of one connection, the one whose stream is requested. */
  #find(exchange: Exchange): Watching | undefined {
    const known = this.#bySocket.get(exchange.socket);
    if (!known || known.length < 2) return known?.[0];
    const bound = this.#byExchange.get(exchange);
    return bound ?? known.find(({ viewer }) => isBelow(exchange.url, viewer.key)) ?? known[0];
  }

  #findByAddress({ socket, address }: Exchange): Watching | undefined {
    const viewer = this.#viewers.onlyAt(address);
    const watching = viewer && this.#byViewer.get(viewer);
    if (watching) this.#remember(socket, watching);
    return watching;
  }
}
