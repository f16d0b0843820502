import type { Socket } from 'node:net';
import type { WorkerExits } from '@weir/engine-api';
import type { Config, Log } from '@weir/plane';
import type { AnswerSeat } from '../../delivery/answer-seat.ts';
import type { SecureSettings } from '../../delivery/secure-options.ts';
import { idleDescriptor } from '../../delivery/shared-bytes.ts';
import type { SharedMemory } from '../../delivery/shared-memory.ts';
import type { Window } from '../../hub/fan-out/audience.ts';
import type { Delivery, DeliveryFeed, Seat, SecureSeat } from '../../hub/fan-out/delivery.ts';
import { loopLoad } from '../../hub/fan-out/flush-window.ts';
import type { Viewer } from '../../hub/fan-out/viewer.ts';
import type { RateMeter } from '../../hub/rate-meter.ts';
import { memoryShare } from '../engine/engine-worker.ts';
import { DeliveryProcess } from './delivery-process.ts';
import type { ProcessFeed } from './process-feed.ts';

/** Load of the engine, or of all processes, from which another process starts after `busyMs`. */
const busyFrom = 0.6;
/** Least share of the engine's time spent on sending; below it workers would not help. */
const sendingFrom = 0.15;
const defaultBusyMs = 3000;
const checkEveryMs = 500;
/** Share of the machine's memory for unread bytes of one process. */
const shareOfMemory = 1 / 8;

interface Options {
  readonly most: number;
  /** True if processes start under load, false if with the first viewer. */
  readonly isByLoad: boolean;
  readonly busyMs?: number;
  readonly memory: SharedMemory;
  readonly log: Log;
  readonly logLevel: Config['logLevel'];
}

/** Delivery workers: processes that send to viewers for the engine, started under load. */
export class DeliveryPool implements Delivery {
  readonly #options: Options;
  readonly #processes: readonly DeliveryProcess[];
  #busySinceMs: number | undefined;
  #checkedMs = performance.now();
  #spentMs = 0;

  constructor(options: Options) {
    this.#options = options;
    const { most, memory, log, logLevel } = options;
    const roomBytes = memoryShare(shareOfMemory);
    this.#processes = Array.from({ length: most }, () => new DeliveryProcess({ memory, roomBytes, log, logLevel }));
  }

  /** Number of processes that can send. */
  get running(): number {
    return this.#processes.filter(({ load }) => load !== undefined).length;
  }

  get exits(): readonly WorkerExits[] {
    return this.#processes.flatMap(({ exits }) => exits ?? []);
  }

  get isWanted(): boolean {
    const { memory, isByLoad } = this.#options;
    if (this.#processes.length === 0 || !memory.file) return false;
    return !isByLoad || this.#processes.some(({ hasRoom }) => hasRoom);
  }

  addSendingTime(ms: number): void {
    const { isByLoad, memory } = this.#options;
    if (!isByLoad && memory.file) for (const process of this.#processes) process.start();
    this.#spentMs += ms;
    const nowMs = performance.now();
    if (nowMs - this.#checkedMs < checkEveryMs) return;
    if (isByLoad && memory.file) this.#checkLoad(nowMs);
    this.#checkedMs = nowMs;
    this.#spentMs = 0;
  }

  openFeed(bytesOut: RateMeter): DeliveryFeed {
    return new PoolFeed(({ socket }) => this.#chooseProcess(socket), bytesOut);
  }

  shareAsking(socket: Socket, onLost: (isInAnswer: boolean) => void): AnswerSeat | undefined {
    return this.#chooseProcess(socket)?.shareAsking(socket, onLost);
  }

  setSecure(settings: SecureSettings): void {
    for (const process of this.#processes) process.setSecure(settings);
  }

  shareSecure(socket: Socket, onLost: () => void): SecureSeat | undefined {
    // Processes start for viewers, not for whoever comes to the HTTPS port.
    return this.isWanted ? this.#leastUsed()?.shareSecure(socket, onLost) : undefined;
  }

  async close(): Promise<void> {
    await Promise.all(this.#processes.map((process) => process.close()));
  }

  #chooseProcess(socket: Socket): DeliveryProcess | undefined {
    if (idleDescriptor(socket) === undefined) return undefined;
    if (!this.#options.isByLoad) for (const process of this.#processes) process.start();
    return this.#leastUsed();
  }

  #leastUsed(): DeliveryProcess | undefined {
    let least: DeliveryProcess | undefined;
    for (const process of this.#processes) {
      if (process.hasRoom && (!least || process.viewers < least.viewers)) least = process;
    }
    return least;
  }

  #checkLoad(nowMs: number): void {
    const running = this.#processes.flatMap(({ load }) => load ?? []);
    const isSending = this.#spentMs / (nowMs - this.#checkedMs) > sendingFrom;
    const isFull = isSending && loopLoad.at(nowMs) > busyFrom;
    const isBusy = running.length > 0 ? running.every((load) => load > busyFrom) : isFull;
    if (!isBusy) {
      this.#busySinceMs = undefined;
      return;
    }
    this.#busySinceMs ??= nowMs;
    if (nowMs - this.#busySinceMs < (this.#options.busyMs ?? defaultBusyMs)) return;
    this.#busySinceMs = nowMs;
    this.#processes.find(({ load }) => load === undefined)?.start();
  }
}

/** One fan-out in all processes that have viewers of it. */
class PoolFeed implements DeliveryFeed {
  readonly #chooseProcess: (viewer: Viewer) => DeliveryProcess | undefined;
  readonly #bytesOut: RateMeter;
  readonly #feeds = new Map<DeliveryProcess, ProcessFeed>();
  #configs: readonly string[] = [];

  constructor(choose: (viewer: Viewer) => DeliveryProcess | undefined, bytesOut: RateMeter) {
    this.#chooseProcess = choose;
    this.#bytesOut = bytesOut;
  }

  get costMs(): number {
    let most = 0;
    for (const { costMs } of this.#openFeeds()) most = Math.max(most, costMs);
    return most;
  }

  get load(): number {
    let most = 0;
    for (const { load } of this.#openFeeds()) most = Math.max(most, load);
    return most;
  }

  share(viewer: Viewer, onLost: (reason: string) => void): Seat | undefined {
    const process = this.#chooseProcess(viewer);
    return process?.share(viewer, () => this.#feedTo(process), onLost);
  }

  setConfigs(all: readonly Buffer[]): void {
    this.#configs = all.map((bytes) => bytes.toString('base64'));
    for (const feed of this.#openFeeds()) feed.setConfigs(this.#configs);
  }

  sendWindow(window: Window): void {
    for (const feed of this.#openFeeds()) feed.sendWindow(window);
  }

  close(): void {
    for (const feed of this.#openFeeds()) feed.shut();
    this.#feeds.clear();
  }

  #feedTo(process: DeliveryProcess): ProcessFeed {
    const known = this.#feeds.get(process);
    if (known && !known.isShut) return known;
    const feed = process.openFeed(this.#bytesOut);
    this.#feeds.set(process, feed);
    feed.setConfigs(this.#configs);
    return feed;
  }

  #openFeeds(): ProcessFeed[] {
    return [...this.#feeds.values()].filter(({ isShut }) => !isShut);
  }
}
