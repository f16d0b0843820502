import { createServer, type Server } from 'node:net';
import type { ListenerState } from '@weir/engine-api';
import { encodeMedia, flvKind } from '@weir/media';
import { descriptorLimit, type Listen, type Log, WatchClock } from '@weir/plane';
import type { SharedMemory } from '../../delivery/shared-memory.ts';
import type { Admission } from '../../hub/clients/admission.ts';
import type { Delivery } from '../../hub/fan-out/delivery.ts';
import { FanOuts } from '../../hub/fan-out/fan-outs.ts';
import { PendingBytes } from '../../hub/pending-bytes.ts';
import type { PlayerViews } from '../../hub/player-views/player-views.ts';
import type { Quality } from '../../hub/qualities/quality.ts';
import type { Stream } from '../../hub/stream.ts';
import { flvBodyFormat, flvMetadata } from '../../packagers/flv/flv-body-format.ts';
import type { ProtocolServer } from '../protocol-server.ts';
import { listeningPort, openTcpPort } from '../tcp-port.ts';
import { ReadPace } from './read-pace.ts';
import { RtmpConnection, type RtmpLimits } from './rtmp-connection.ts';

/** RTMP messages with whole headers and absolute times: the same bytes for every player. */
const rtmpFormat = flvBodyFormat(encodeMedia, (stream) => encodeMedia(flvKind.script, 0, flvMetadata(stream)));

const defaultLimits: RtmpLimits = {
  startMs: 10_000,
  publisherIdleMs: 30_000,
  publisherMessageMs: 60_000,
  messageMs: 10_000,
  lingerMs: 3000,
};
const tickMs = 2000;
/** Commands come whole, so that strangers hold next to nothing. A publisher's keyframe may take seconds on a slow line. */
const strangers = { all: 32 * 1024 * 1024, ofNetwork: 1024 * 1024, small: 1024 };
const publishers = { all: 256 * 1024 * 1024, ofNetwork: 64 * 1024 * 1024, small: 1024 * 1024 };
const mostConnections = 20_000;
/** The rest is for viewers by other ways, files and children. */
const shareOfDescriptors = 0.25;

interface Options {
  readonly listen: Listen;
  readonly admission: Admission;
  readonly playerViews: PlayerViews;
  readonly memory?: SharedMemory;
  readonly delivery?: Delivery;
  readonly log: Log;
  readonly limits?: Partial<RtmpLimits>;
}

/** Publish and play by RTMP. */
export class RtmpServer implements ProtocolServer {
  readonly #server: Server;
  readonly #listen: Listen;
  readonly #log: Log;
  readonly #connections = new Set<RtmpConnection>();
  readonly #clock = new WatchClock(2 * tickMs);
  #timer: NodeJS.Timeout | undefined;

  constructor({ listen, admission, playerViews, memory, delivery, log, limits }: Options) {
    this.#listen = listen;
    this.#log = log;
    const viewOf = (stream: Stream, quality: Quality | undefined) => playerViews.ofQuality(stream, quality);
    const context = {
      admission,
      log,
      fanOuts: new FanOuts(rtmpFormat, viewOf, memory, delivery),
      pace: new ReadPace(),
      pending: { strangers: new PendingBytes(strangers), publishers: new PendingBytes(publishers) },
      limits: { ...defaultLimits, ...limits },
    };
    this.#server = createServer((socket) => {
      const connection: RtmpConnection = new RtmpConnection(socket, context, () =>
        this.#connections.delete(connection),
      );
      this.#connections.add(connection);
      this.#timer ??= setTimeout(this.#tick, tickMs);
    });
    this.#server.maxConnections = Math.floor(Math.min(mostConnections, descriptorLimit() * shareOfDescriptors));
  }

  get listener(): ListenerState {
    const port = listeningPort(this.#server);
    return { protocol: 'rtmp', port, ready: port > 0, note: '' };
  }

  open(): Promise<void> {
    return openTcpPort(this.#server, this.#listen, 'WEIR_RTMP_LISTEN', this.#log);
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    clearTimeout(this.#timer);
    for (const connection of this.#connections) connection.leave('the server is stopping');
    await promise;
  }

  readonly #tick = (): void => {
    const nowMs = this.#clock.now();
    for (const connection of this.#connections) connection.tick(nowMs);
    this.#timer = this.#connections.size > 0 ? setTimeout(this.#tick, tickMs) : undefined;
  };
}
