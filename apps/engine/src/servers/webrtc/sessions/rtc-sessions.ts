import { MalformedMedia } from '@weir/media';
import { type Log, WatchClock } from '@weir/plane';
import type { ClientCounters } from '../../../hub/clients/client-info.ts';
import { NetworkShares } from '../../../hub/network-shares.ts';
import type { Publication } from '../../../hub/stream.ts';
import { RtpPackager } from '../../../packagers/rtp/rtp-packager.ts';
import type { MirroredStream } from '../../../workers/worker/mirrored-streams.ts';
import type { PeerFacts, RtcPort, RtcTransport, TransportFacts } from '../transport/rtc-transport.ts';
import type { ReceivedVideo } from './layers/published-video.ts';
import { PendingSessions } from './pending-sessions.ts';
import { ViewerQualities } from './qualities/viewer-qualities.ts';
import { type MediaEnd, WebRtcConnection } from './webrtc-connection.ts';
import { WebRtcPublisher } from './webrtc-publisher.ts';
import { type SentVideo, WebRtcViewer } from './webrtc-viewer.ts';

/** A connection costs about 1.4 MB in the library, a tenth of that in our own transport. */
const mostConnections = 1500;
const shares = { network: mostConnections / 2, site: mostConnections / 2, region: (mostConnections * 3) / 4 };
const tickMs = 250;

/** All WebRTC connections: keeps references to their native objects, and closes silent ones. */
class WebRtcConnections {
  readonly #log: Log;
  readonly #connections = new Map<string, WebRtcConnection>();
  readonly #waiting = new PendingSessions<WebRtcConnection>();
  readonly #shares = new NetworkShares(shares);
  readonly #clock = new WatchClock(2 * tickMs);
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  get size(): number {
    return this.#connections.size;
  }

  /** Undefined when there are too many. */
  open(id: string, address: string, onClosed: () => void): WebRtcConnection | undefined {
    if (!this.#makeRoom(address)) return undefined;
    const connection = new WebRtcConnection(id, address, {
      onOpen: (opened) => this.#waiting.leave(opened),
      onClosed: (closed) => {
        this.#remove(closed);
        onClosed();
      },
    });
    this.#connections.set(connection.id, connection);
    this.#waiting.enter(connection);
    this.#timer ??= setInterval(() => this.#tick(), tickMs);
    return connection;
  }

  close(): void {
    for (const connection of [...this.#connections.values()]) connection.close('the server is stopping');
  }

  #makeRoom(address: string): boolean {
    const { hasRoom, leaving } = this.#waiting.makeRoom(address, performance.now());
    if (!hasRoom) return false;
    leaving?.close('did not connect, and other clients are waiting');
    return this.#connections.size < mostConnections && this.#shares.take(address);
  }

  #remove(connection: WebRtcConnection): void {
    this.#connections.delete(connection.id);
    this.#waiting.leave(connection);
    this.#shares.giveBack(connection.address);
    if (this.#connections.size === 0) this.#stop();
  }

  #tick(): void {
    const now = { nowMs: performance.now(), watchedMs: this.#clock.now() };
    const { patienceMs } = this.#waiting;
    for (const connection of [...this.#connections.values()]) {
      try {
        connection.tick(now, patienceMs);
      } catch (error) {
        this.#log.error({ err: error }, 'rtc connection failed');
        connection.close('internal error');
      }
    }
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

interface Plan {
  readonly peer: PeerFacts;
  /** Stream key. */
  readonly key: string;
  readonly counters: ClientCounters;
  /** Runs exactly once, also if the session fails to start. */
  readonly onEnd: (reason: string) => void;
}

/** Admitted publisher. */
export interface PublisherPlan extends Plan {
  readonly publication: Omit<Publication, 'end'>;
  readonly video: ReceivedVideo | undefined;
  readonly audio: { readonly payloadType: number; readonly channels: number } | undefined;
}

/** Admitted viewer. */
export interface ViewerPlan extends Plan {
  /** The stream as browsers can play it; the same object for all of its viewers. */
  readonly view: MirroredStream;
  readonly video: SentVideo | undefined;
  readonly audio: { readonly payloadType: number; readonly ssrc: number } | undefined;
  /** Quality that it asked for, and no other; empty for the best. */
  readonly quality?: string | undefined;
}

/**
 * Packet side of WebRTC: the port, the connections, and the media sent or received over them. The engine decides on
 * admission and signaling; frames come from a `MirroredStream` and go to a `Publication`.
 */
export class RtcSessions {
  readonly #connections: WebRtcConnections;
  readonly #port: RtcPort;
  readonly #log: Log;
  readonly #requestElsewhere: (key: string) => void;
  readonly #packagers = new Map<MirroredStream, RtpPackager>();
  /** Publishers by WebRTC, who can be asked for a keyframe, by the key of their stream. */
  readonly #publishers = new Map<string, WebRtcPublisher>();

  /** `askElsewhere`: for a keyframe, when the publisher of the stream is not here. */
  constructor(port: RtcPort, log: Log, requestElsewhere: (key: string) => void) {
    this.#port = port;
    this.#requestElsewhere = requestElsewhere;
    this.#log = log;
    this.#connections = new WebRtcConnections(log);
  }

  /** Reserves a place for a new session; undefined at the limit. */
  reserve(id: string, address: string, onClosed: () => void): WebRtcConnection | undefined {
    return this.#connections.open(id, address, onClosed);
  }

  publish(connection: WebRtcConnection, plan: PublisherPlan): TransportFacts {
    const { key, publication, counters, video, audio, onEnd } = plan;
    return this.#begin(connection, plan, 'receives', (transport) => {
      const onFault = (error: unknown) => this.#onFault(connection, error);
      const publisher = new WebRtcPublisher({
        publication,
        counters,
        transport,
        video,
        audio,
        cname: connection.id,
        onFault,
      });
      this.#publishers.set(key, publisher);
      return {
        onOpen: () => undefined,
        onPacket: (bytes, cameMs) => publisher.onPacket(bytes, cameMs),
        tick: (nowMs) => publisher.tick(nowMs),
        facts: () => publisher.facts,
        onEnd: (reason) => {
          publisher.stop();
          if (this.#publishers.get(key) === publisher) this.#publishers.delete(key);
          onEnd(reason);
        },
      };
    });
  }

  play(connection: WebRtcConnection, plan: ViewerPlan): TransportFacts {
    const { view, counters, video, audio, quality: pinned, onEnd } = plan;
    return this.#begin(connection, plan, 'sends', (transport) => {
      const viewer = new WebRtcViewer({
        transport,
        counters,
        video,
        audio,
        cname: connection.id,
        packager: this.#packagerOf(view),
        qualities: new ViewerQualities({ view, pinned, packagerOf: (lower) => this.#packagerOf(lower) }),
        requestKeyframe: () => this.#requestKeyframe(view),
        onOver: () => connection.close('the stream has ended'),
      });
      return {
        onOpen: () => viewer.start(),
        onPacket: (bytes, cameMs) => viewer.onPacket(bytes, cameMs),
        tick: (nowMs) => viewer.tick(nowMs),
        chooseQuality: (name) => viewer.chooseQuality(name),
        facts: () => viewer.facts,
        onEnd: (reason) => {
          viewer.stop();
          onEnd(reason);
        },
      };
    });
  }

  /** Connects, and neither sends nor keeps anything. */
  test(connection: WebRtcConnection, peer: PeerFacts): TransportFacts {
    const nothing = () => undefined;
    const end: MediaEnd = { onOpen: nothing, onPacket: nothing, tick: nothing, facts: () => ({}), onEnd: nothing };
    return this.#begin(connection, { peer, onEnd: nothing }, 'receives', () => end);
  }

  /** False when its publisher is not here. */
  requestKeyframe(key: string): boolean {
    const publisher = this.#publishers.get(key);
    publisher?.requestKeyframe(performance.now());
    return publisher !== undefined;
  }

  close(): void {
    this.#connections.close();
  }

  #begin(
    connection: WebRtcConnection,
    { peer, onEnd }: Pick<Plan, 'peer' | 'onEnd'>,
    role: 'sends' | 'receives',
    makeEnd: (transport: RtcTransport) => MediaEnd,
  ): TransportFacts {
    let transport: RtcTransport | undefined;
    try {
      const events = {
        onReached: () => connection.onReached(),
        onOpen: () => connection.onOpen(),
        onPacket: (bytes: Buffer, waitedMs: number) => connection.onPacket(bytes, waitedMs),
        onEnd: (reason: string) => connection.close(reason),
        onFault: (error: unknown) => this.#onFault(connection, error),
      };
      transport = this.#port.connect({ id: connection.id, peer, role, events });
      connection.begin(makeEnd(transport), transport);
      return transport.facts;
    } catch (error) {
      transport?.close();
      // A client that was admitted and cannot be served is reported as ended.
      onEnd('internal error');
      throw error;
    }
  }

  /** False when its publisher does not speak WebRTC. */
  #requestKeyframe({ publisher }: MirroredStream): boolean {
    if (publisher === '') return false;
    if (!this.requestKeyframe(publisher)) this.#requestElsewhere(publisher);
    return true;
  }

  /** Packager shared by all viewers of a stream, while it has some. */
  #packagerOf(view: MirroredStream): RtpPackager {
    const existing = this.#packagers.get(view);
    if (existing) return existing;
    const created = new RtpPackager(view, () => this.#packagers.delete(view));
    this.#packagers.set(view, created);
    return created;
  }

  /** A faulty peer loses its connection; others are unaffected. */
  #onFault(connection: WebRtcConnection, error: unknown): void {
    const isMalformed = error instanceof MalformedMedia;
    if (!isMalformed) this.#log.error({ err: error, client: connection.id }, 'rtc connection failed');
    connection.close(isMalformed ? `malformed: ${error.message}` : 'internal error');
  }
}
