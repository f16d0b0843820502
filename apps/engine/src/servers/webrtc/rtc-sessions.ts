import { randomBytes } from 'node:crypto';
import type { Log } from '@weir/plane';
import { Clients } from '../../hub/clients.ts';
import { RtcSession } from './rtc-session.ts';

/** A session costs about 1.4 MB in the native library. */
const mostSessions = 1500;
/** Offers need no secret to play: those that never connect are few, and few from one address. */
const mostUnconnected = 300;
const mostUnconnectedOfAddress = 40;
const tickMs = 250;

/** All WebRTC sessions: keeps their native ends alive, and ends those that went silent. */
export class RtcSessions {
  readonly #log: Log;
  readonly #sessions = new Map<string, RtcSession>();
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Undefined when there are too many. */
  open(address: string, iceUfrag: string): { session: RtcSession; token: string } | undefined {
    if (this.#sessions.size >= mostSessions) return undefined;
    const unconnected = [...this.#sessions.values()].filter(({ isOpen }) => !isOpen);
    const own = unconnected.filter((session) => session.address === address);
    if (unconnected.length >= mostUnconnected || own.length >= mostUnconnectedOfAddress) return undefined;
    const token = randomBytes(16).toString('hex');
    const session = new RtcSession({ id: Clients.newId(), token, address, iceUfrag }, ({ id }) => {
      this.#sessions.delete(id);
      if (this.#sessions.size === 0) this.#stop();
    });
    this.#sessions.set(session.id, session);
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

  #tick(): void {
    const now = performance.now();
    for (const session of [...this.#sessions.values()]) {
      try {
        session.tick(now);
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
