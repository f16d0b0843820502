import { randomBytes } from 'node:crypto';
import { type Log, WatchClock } from '@weir/plane';
import { Clients } from '../../hub/clients/clients.ts';
import { NetworkShares } from '../../hub/network-shares.ts';
import { RtcSession } from './rtc-session.ts';
import { WaitingRoom } from './waiting-room.ts';

/** A session costs about 1.4 MB in the native library. */
const mostSessions = 1500;
const shares = { network: mostSessions / 2, site: mostSessions / 2, region: (mostSessions * 3) / 4 };
const tickMs = 250;

/** All WebRTC sessions: keeps their native ends alive, and ends those that went silent. */
export class RtcSessions {
  readonly #log: Log;
  readonly #sessions = new Map<string, RtcSession>();
  readonly #waiting = new WaitingRoom<RtcSession>();
  readonly #shares = new NetworkShares(shares);
  readonly #clock = new WatchClock(2 * tickMs);
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Undefined when there are too many. */
  open(address: string, iceUfrag: string): { session: RtcSession; token: string } | undefined {
    if (!this.#makeRoom(address)) return undefined;
    const token = randomBytes(16).toString('hex');
    const session = new RtcSession(
      { id: Clients.newId(), token, address, iceUfrag },
      { onOpen: (opened) => this.#waiting.leave(opened), onClosed: (closed) => this.#forget(closed) },
    );
    this.#sessions.set(session.id, session);
    this.#waiting.enter(session);
    this.#timer ??= setInterval(() => this.#tick(), tickMs);
    return { session, token };
  }

  /** A session for whoever can show that it is theirs. */
  find(id: string, token: string): RtcSession | undefined {
    const session = this.#sessions.get(id);
    return session?.isOwnedBy(token) ? session : undefined;
  }

  close(): void {
    for (const session of [...this.#sessions.values()]) session.close('the server stops');
  }

  #makeRoom(address: string): boolean {
    const { hasRoom, leaving } = this.#waiting.makeRoom(address, performance.now());
    if (!hasRoom) return false;
    leaving?.close('did not connect, and others wait');
    return this.#sessions.size < mostSessions && this.#shares.take(address);
  }

  #forget(session: RtcSession): void {
    this.#sessions.delete(session.id);
    this.#waiting.leave(session);
    this.#shares.giveBack(session.address);
    if (this.#sessions.size === 0) this.#stop();
  }

  #tick(): void {
    const now = { nowMs: performance.now(), watchedMs: this.#clock.now() };
    const { patienceMs } = this.#waiting;
    for (const session of [...this.#sessions.values()]) {
      try {
        session.tick(now, patienceMs);
      } catch (error) {
        this.#log.error({ err: error }, 'rtc session failed');
        session.close('internal error');
      }
    }
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
