import { type Log, WatchClock } from '@weir/plane';
import { NetworkShares } from '../../../hub/network-shares.ts';
import { PendingSessions } from './pending-sessions.ts';
import { WebRtcConnection } from './webrtc-connection.ts';

/** A connection costs about 1.4 MB in the library, a tenth of that in our own transport. */
const mostConnections = 1500;
const shares = { network: mostConnections / 2, site: mostConnections / 2, region: (mostConnections * 3) / 4 };
const tickMs = 250;

/** All WebRTC connections: keeps their native ends alive, and ends those that went silent. */
export class WebRtcConnections {
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
        this.#forget(closed);
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

  #forget(connection: WebRtcConnection): void {
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
