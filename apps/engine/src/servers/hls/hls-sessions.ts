import type { ClientInfo } from '../../hub/client-info.ts';
import { type ClientEntry, Clients } from '../../hub/clients.ts';
import type { Gate } from '../../hub/gate.ts';
import { streamKey } from '../../hub/stream-key.ts';

export interface Session {
  readonly entry: ClientEntry;
  readonly key: string;
  seenAtMs: number;
}

export interface HlsSessionsOptions {
  readonly gate: Gate;
  /** Where the API finds clients. */
  readonly clients: Pick<Clients, 'add' | 'delete'>;
  readonly elapsedMs: () => number;
  /** A session ends when nobody asked in its name for this long. */
  readonly lifetimeMs: () => number;
  readonly maxSessions?: number;
}

/** No more viewers can be counted, hence none admitted. */
export class TooManySessions extends Error {
  override readonly name = 'TooManySessions';
}

/** A player asks for the playlist right after its session began; whoever does not is no viewer. */
const freshMs = 30_000;
/** How many of those who were sent away are remembered, so that their players do not walk in again at once. */
const maxKicked = 10_000;

/**
 * Viewers that HLS knows only by the id in their requests. In order of last sight, so that who is to expire stands first;
 * those that never used their session stand apart and make room when it is needed.
 */
export class HlsSessions {
  readonly #options: HlsSessionsOptions;
  readonly #maxSessions: number;
  readonly #sessions = new Map<string, Session>();
  readonly #fresh = new Map<string, Session>();
  readonly #admissions = new Map<string, Promise<Session>>();
  readonly #kicked = new Set<string>();

  constructor(options: HlsSessionsOptions) {
    this.#options = options;
    this.#maxSessions = options.maxSessions ?? 100_000;
  }

  /** Ids look like this; anything else was never given out. */
  static isId(text: string): boolean {
    return /^[0-9a-f]{16}$/.test(text);
  }

  get size(): number {
    return this.#sessions.size + this.#fresh.size;
  }

  isKicked(id: string): boolean {
    return this.#kicked.has(id);
  }

  /** The session of this id, seen now. */
  see(id: string): Session | undefined {
    const session = this.#find(id);
    if (!session) return undefined;
    session.seenAtMs = this.#options.elapsedMs();
    this.#fresh.delete(id);
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session;
  }

  /** Throws Refused, or TooManySessions. A player that asks again while it waits is not asked for twice. */
  admit(info: ClientInfo): Promise<Session> {
    const running = this.#admissions.get(info.id);
    if (running) return running;
    if (this.size + this.#admissions.size >= this.#maxSessions && !this.#makeRoom())
      return Promise.reject(new TooManySessions('too many viewers'));
    const admission = this.#ask(info).finally(() => this.#admissions.delete(info.id));
    this.#admissions.set(info.id, admission);
    return admission;
  }

  async #ask(info: ClientInfo): Promise<Session> {
    await this.#options.gate.play(info);
    const entry = Clients.entry(info, () => this.kick(info.id));
    const session = { entry, key: streamKey(info.place), seenAtMs: this.#options.elapsedMs() };
    this.#fresh.set(info.id, session);
    this.#options.clients.add(entry);
    return session;
  }

  expire(nowMs: number): void {
    this.#expireIn(this.#sessions, nowMs - this.#options.lifetimeMs());
    this.#expireIn(this.#fresh, nowMs - freshMs);
  }

  endOfStream(key: string): void {
    for (const session of this.#all()) if (session.key === key) this.#end(session);
  }

  kick(id: string): boolean {
    const session = this.#find(id);
    if (!session) return false;
    const [oldest] = this.#kicked;
    if (this.#kicked.size >= maxKicked && oldest !== undefined) this.#kicked.delete(oldest);
    this.#kicked.add(id);
    this.#end(session);
    return true;
  }

  all(): ClientEntry[] {
    return this.#all().map(({ entry }) => entry);
  }

  close(): void {
    for (const session of this.#all()) this.#end(session);
  }

  #find(id: string): Session | undefined {
    return this.#sessions.get(id) ?? this.#fresh.get(id);
  }

  #all(): Session[] {
    return [...this.#sessions.values(), ...this.#fresh.values()];
  }

  #expireIn(sessions: ReadonlyMap<string, Session>, seenBeforeMs: number): void {
    for (const session of sessions.values()) {
      if (session.seenAtMs > seenBeforeMs) return;
      this.#end(session);
    }
  }

  #makeRoom(): boolean {
    const [oldest] = this.#fresh.values();
    if (oldest) this.#end(oldest);
    return oldest !== undefined;
  }

  #end({ entry }: Session): void {
    this.#sessions.delete(entry.info.id);
    this.#fresh.delete(entry.info.id);
    this.#options.clients.delete(entry.info.id);
    this.#options.gate.stop(entry.info);
  }
}
