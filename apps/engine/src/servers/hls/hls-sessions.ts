import { networkOf, streamKey } from '@weir/dialect';
import type { ClientInfo } from '../../hub/clients/client-info.ts';
import { type ClientEntry, Clients } from '../../hub/clients/clients.ts';
import type { Gate } from '../../hub/clients/gate.ts';
import { type NetworkLimits, NetworkShares } from '../../hub/network-shares.ts';
import { ownText } from '../../hub/own-memory.ts';

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
  readonly maxFresh?: number;
  readonly perNetwork?: NetworkLimits;
}

/** No more viewers can be counted, hence none admitted. */
export class TooManySessions extends Error {
  override readonly name = 'TooManySessions';
}

/** A player asks for the playlist right after its session began; whoever does not is no viewer. */
const freshMs = 30_000;
/** A player uses its session within moments, also while somebody invents thousands a second. */
const mostFresh = 10_000;
/** An office or a proxy has many viewers behind one address; nobody has this many. */
const perNetwork: NetworkLimits = { network: 10_000, site: 20_000, region: 40_000 };
/** How many of those who were sent away are remembered, so that their players do not walk in again at once. */
const maxKicked = 10_000;

/**
 * Viewers that HLS knows only by the id in their requests. In order of last sight, so that who is to expire stands first;
 * those that never used their session stand apart and make room when it is needed, in their own network first.
 */
export class HlsSessions {
  readonly #options: HlsSessionsOptions;
  readonly #maxSessions: number;
  readonly #sessions = new Map<string, Session>();
  readonly #fresh = new Map<string, Session>();
  readonly #freshByNetwork = new Map<string, Set<Session>>();
  readonly #shares: NetworkShares;
  readonly #admissions = new Map<string, Promise<Session>>();
  readonly #kicked = new Set<string>();

  constructor(options: HlsSessionsOptions) {
    this.#options = options;
    this.#maxSessions = options.maxSessions ?? 100_000;
    this.#shares = new NetworkShares(options.perNetwork ?? perNetwork);
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
    this.#removeFresh(session);
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
    if (!this.#takeShare(info.address)) return Promise.reject(new TooManySessions('too many viewers of one network'));
    const admission = this.#ask(info).finally(() => this.#admissions.delete(info.id));
    this.#admissions.set(info.id, admission);
    return admission;
  }

  async #ask(info: ClientInfo): Promise<Session> {
    const kept = { ...info, id: ownText(info.id), param: ownText(info.param), pageUrl: ownText(info.pageUrl) };
    const { id } = kept;
    try {
      // A program of ours is nobody to ask or to tell about.
      if (!kept.isOwn) await this.#options.gate.play(kept);
    } catch (error) {
      this.#shares.giveBack(info.address);
      throw error;
    }
    const entry = Clients.entry(kept, () => this.kick(id));
    const session = { entry, key: streamKey(info.place), seenAtMs: this.#options.elapsedMs() };
    this.#addFresh(session);
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

  #takeShare(address: string): boolean {
    if (this.#shares.take(address)) return true;
    const [oldest] = this.#freshByNetwork.get(networkOf(address)) ?? [];
    if (!oldest) return false;
    this.#end(oldest);
    return this.#shares.take(address);
  }

  #addFresh(session: Session): void {
    const { id, address } = session.entry.info;
    if (this.#fresh.size >= (this.#options.maxFresh ?? mostFresh)) this.#makeRoom();
    this.#fresh.set(id, session);
    const network = networkOf(address);
    const neighbours = this.#freshByNetwork.get(network) ?? new Set();
    this.#freshByNetwork.set(network, neighbours.add(session));
  }

  #removeFresh(session: Session): void {
    const { id, address } = session.entry.info;
    if (!this.#fresh.delete(id)) return;
    const network = networkOf(address);
    const neighbours = this.#freshByNetwork.get(network);
    neighbours?.delete(session);
    if (neighbours?.size === 0) this.#freshByNetwork.delete(network);
  }

  #end(session: Session): void {
    const { entry } = session;
    this.#removeFresh(session);
    this.#sessions.delete(entry.info.id);
    this.#shares.giveBack(entry.info.address);
    this.#options.clients.delete(entry.info.id);
    if (!entry.info.isOwn) this.#options.gate.stop(entry.info);
  }
}
