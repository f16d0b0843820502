import { streamKey, toNetwork } from '@weir/streams';
import type { ClientInfo } from '../../../hub/clients/client-info.ts';
import { type ClientEntry, Clients } from '../../../hub/clients/clients.ts';
import type { Gate } from '../../../hub/clients/gate.ts';
import { type NetworkLimits, NetworkShares } from '../../../hub/network-shares.ts';
import { ownText } from '../../../hub/own-memory.ts';

export interface HlsViewer {
  readonly entry: ClientEntry;
  readonly key: string;
  seenAtMs: number;
  /** Longest silence: it depends on what the viewer follows. */
  patienceMs: number;
  /** Requests of it that are not answered yet. */
  waiting: number;
}

interface HlsViewersOptions {
  readonly gate: Gate;
  /** List of clients for the API. */
  readonly clients: Pick<Clients, 'add' | 'delete'>;
  readonly elapsedMs: () => number;
  readonly maxViewers?: number;
  readonly maxFresh?: number;
  readonly perNetwork?: NetworkLimits;
}

/** No more viewers can be counted, hence none admitted. */
export class TooManyViewers extends Error {
  override readonly name = 'TooManyViewers';
}

/** A session ends when nobody asked in its name for this long, or longer where players ask less often. */
export const leastPatienceMs = 10_000;
/** Time after the start of a session in which a player requests the playlist. A client that does not is no viewer. */
const freshMs = 10_000;
/** Limit of sessions without a request so far. Players use theirs within moments; of invented ones the oldest is dropped. */
const mostFresh = 10_000;
/** Limit of viewers behind one address, far above those of an office or a proxy. */
const perNetwork: NetworkLimits = { network: 10_000, site: 20_000, region: 40_000 };
/** Limit of remembered kicked viewers, so that their players do not return at once. */
const maxKicked = 10_000;

/**
 * Viewers that HLS knows only by the id in their requests. In order of last sight, so that who is to expire stands first;
 * those that never used their session stand apart and make room when it is needed, in their own network first.
 */
export class HlsViewers {
  readonly #options: HlsViewersOptions;
  readonly #maxViewers: number;
  readonly #viewers = new Map<string, HlsViewer>();
  readonly #byAddress = new Map<string, Set<HlsViewer>>();
  readonly #fresh = new Map<string, HlsViewer>();
  readonly #freshByNetwork = new Map<string, Set<HlsViewer>>();
  readonly #shares: NetworkShares;
  readonly #admissions = new Map<string, Promise<HlsViewer>>();
  readonly #kicked = new Set<string>();

  constructor(options: HlsViewersOptions) {
    this.#options = options;
    this.#maxViewers = options.maxViewers ?? 100_000;
    this.#shares = new NetworkShares(options.perNetwork ?? perNetwork);
  }

  /** Ids look like this; anything else was never given out. */
  static isId(text: string): boolean {
    return /^[0-9a-f]{16}$/.test(text);
  }

  get size(): number {
    return this.#viewers.size + this.#fresh.size;
  }

  isKicked(id: string): boolean {
    return this.#kicked.has(id);
  }

  /** The viewer of this id, seen now. */
  see(id: string): HlsViewer | undefined {
    const viewer = this.#find(id);
    if (!viewer) return undefined;
    viewer.seenAtMs = this.#options.elapsedMs();
    this.#removeFresh(viewer);
    this.#viewers.delete(id);
    this.#viewers.set(id, viewer);
    return viewer;
  }

  /** Throws Refused, or TooManyViewers. A player that asks again while it waits is not asked for twice. */
  admit(info: ClientInfo): Promise<HlsViewer> {
    const running = this.#admissions.get(info.id);
    if (running) return running;
    if (this.size + this.#admissions.size >= this.#maxViewers && !this.#makeRoom())
      return Promise.reject(new TooManyViewers('too many viewers'));
    if (!this.#reserveShare(info.address))
      return Promise.reject(new TooManyViewers('too many viewers from one network'));
    const admission = this.#authorise(info).finally(() => this.#admissions.delete(info.id));
    this.#admissions.set(info.id, admission);
    return admission;
  }

  async #authorise(info: ClientInfo): Promise<HlsViewer> {
    const kept = { ...info, id: ownText(info.id), param: ownText(info.param), pageUrl: ownText(info.pageUrl) };
    const { id } = kept;
    try {
      // Our own processes need no permission and are not reported.
      if (!kept.isOwn) await this.#options.gate.play(kept);
    } catch (error) {
      this.#shares.giveBack(info.address);
      throw error;
    }
    const entry = Clients.entry(kept, () => this.kick(id));
    const session = { seenAtMs: this.#options.elapsedMs(), patienceMs: leastPatienceMs, waiting: 0 };
    const viewer: HlsViewer = { entry, key: streamKey(info.place), ...session };
    this.#byAddress.set(info.address, (this.#byAddress.get(info.address) ?? new Set()).add(viewer));
    this.#addFresh(viewer);
    this.#options.clients.add(entry);
    return viewer;
  }

  /** True if somebody at this address watches the stream. */
  isWatching(key: string, address: string): boolean {
    for (const viewer of this.#byAddress.get(address) ?? []) if (viewer.key === key) return true;
    return false;
  }

  /** The viewer at this address, where there is one and no other. */
  onlyAt(address: string): HlsViewer | undefined {
    const viewers = this.#byAddress.get(address);
    return viewers?.size === 1 ? [...viewers][0] : undefined;
  }

  expire(nowMs: number): void {
    this.#expireIn(this.#viewers, nowMs, leastPatienceMs);
    this.#expireIn(this.#fresh, nowMs, freshMs);
  }

  endOfStream(key: string): void {
    for (const viewer of this.#all()) if (viewer.key === key) this.#end(viewer);
  }

  kick(id: string): boolean {
    const viewer = this.#find(id);
    if (!viewer) return false;
    const [oldest] = this.#kicked;
    if (this.#kicked.size >= maxKicked && oldest !== undefined) this.#kicked.delete(oldest);
    this.#kicked.add(id);
    this.#end(viewer);
    return true;
  }

  close(): void {
    for (const viewer of this.#all()) this.#end(viewer);
  }

  #find(id: string): HlsViewer | undefined {
    return this.#viewers.get(id) ?? this.#fresh.get(id);
  }

  #all(): HlsViewer[] {
    return [...this.#viewers.values(), ...this.#fresh.values()];
  }

  #expireIn(viewers: ReadonlyMap<string, HlsViewer>, nowMs: number, leastMs: number): void {
    for (const viewer of viewers.values()) {
      const silentMs = nowMs - viewer.seenAtMs;
      if (silentMs < leastMs) return;
      // Viewers with a pending request are present, however long the publisher takes.
      if (viewer.waiting === 0 && silentMs >= viewer.patienceMs) this.#end(viewer);
    }
  }

  #makeRoom(): boolean {
    const [oldest] = this.#fresh.values();
    if (oldest) this.#end(oldest);
    return oldest !== undefined;
  }

  #reserveShare(address: string): boolean {
    if (this.#shares.take(address)) return true;
    const [oldest] = this.#freshByNetwork.get(toNetwork(address)) ?? [];
    if (!oldest) return false;
    this.#end(oldest);
    return this.#shares.take(address);
  }

  #addFresh(viewer: HlsViewer): void {
    const { id, address } = viewer.entry.info;
    if (this.#fresh.size >= (this.#options.maxFresh ?? mostFresh)) this.#makeRoom();
    this.#fresh.set(id, viewer);
    const network = toNetwork(address);
    const neighbours = this.#freshByNetwork.get(network) ?? new Set();
    this.#freshByNetwork.set(network, neighbours.add(viewer));
  }

  #removeFresh(viewer: HlsViewer): void {
    const { id, address } = viewer.entry.info;
    if (!this.#fresh.delete(id)) return;
    const network = toNetwork(address);
    const neighbours = this.#freshByNetwork.get(network);
    neighbours?.delete(viewer);
    if (neighbours?.size === 0) this.#freshByNetwork.delete(network);
  }

  #end(viewer: HlsViewer): void {
    const { entry } = viewer;
    this.#removeFresh(viewer);
    this.#viewers.delete(entry.info.id);
    this.#shares.giveBack(entry.info.address);
    const neighbours = this.#byAddress.get(entry.info.address);
    if (neighbours?.delete(viewer) && neighbours.size === 0) this.#byAddress.delete(entry.info.address);
    this.#options.clients.delete(entry.info.id);
    if (!entry.info.isOwn) this.#options.gate.stop(entry.info);
  }
}
