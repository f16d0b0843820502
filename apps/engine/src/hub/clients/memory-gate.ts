import type { FinishedSegment, InputChoice, PublisherEnd, SegmentPlace } from '@weir/engine-api';
import type { Log } from '@weir/plane';
import type { EngineRefusal, StreamPlace } from '@weir/streams';
import { type ClientInfo, countsAsViewer } from './client-info.ts';
import type { ClientEntry, Clients } from './clients.ts';
import { type Gate, Refused } from './gate.ts';

const MiB = 1024 * 1024;
/** Part of the limit that is kept free of newcomers. Those who are there, and conversions, still grow. */
const freeShare = 0.2;
const freeBytes = { least: 64 * MiB, most: 512 * MiB };
/** Free memory below which viewers are disconnected, as a part of what is kept free. */
const shedShare = 0.5;
/** Part of the viewers that are disconnected at a time. */
const shedPart = 0.05;
/** Newcomers may arrive by the hundred in a second. */
const readAgainMs = 100;
const tickMs = 1000;
/** Collecting all garbage takes some tens of milliseconds. */
const releaseEveryMs = 15_000;
/** A viewer that is this far behind holds memory for nothing. */
const behindMs = 2000;

type Level = 'free' | 'full' | 'critical';

interface Options {
  /** Decides once there is room. */
  readonly gate: Gate;
  readonly clients: Pick<Clients, 'all'>;
  /** True if the stream is there: a publisher that returns to its viewers is no newcomer. */
  readonly isKnown: (place: StreamPlace) => boolean;
  /** Undefined without a limit. */
  readonly memory: () => { readonly usedBytes: number; readonly limitBytes: number } | undefined;
  /** Frees what can be read or made again, and collects all garbage. */
  readonly release: () => void;
  readonly log: Log;
}

/**
 * Refuses newcomers while memory is nearly full, because at its limit the kernel kills a process with everybody in it. If memory shrinks
 * further, viewers are disconnected: those far behind first, then the newest.
 */
export class MemoryGate implements Gate {
  readonly #options: Options;
  readonly #timer: NodeJS.Timeout | undefined;
  #level: Level = 'free';
  #readMs = Number.NEGATIVE_INFINITY;
  #releasedMs = Number.NEGATIVE_INFINITY;
  /** When viewers far behind were last disconnected. */
  #behindEndedMs = Number.NEGATIVE_INFINITY;

  constructor(options: Options) {
    this.#options = options;
    if (options.memory()) this.#timer = setInterval(() => this.tick(), tickMs).unref();
  }

  async publish(client: ClientInfo): Promise<InputChoice | undefined> {
    if (!this.#options.isKnown(client.place)) this.#assertRoom('memory');
    return this.#options.gate.publish(client);
  }

  async play(client: ClientInfo): Promise<void> {
    this.#assertRoom();
    await this.#options.gate.play(client);
  }

  unpublish(client: ClientInfo, why: PublisherEnd): void {
    this.#options.gate.unpublish(client, why);
  }

  publishRefused(client: ClientInfo, reason: EngineRefusal): void {
    this.#options.gate.publishRefused(client, reason);
  }

  stop(client: ClientInfo): void {
    this.#options.gate.stop(client);
  }

  segment(segment: FinishedSegment, publisher: ClientInfo, place: SegmentPlace): void {
    this.#options.gate.segment(segment, publisher, place);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Every second while there is a limit. */
  tick(): void {
    this.#read();
    if (this.#level === 'free') return;
    const nowMs = performance.now();
    if (nowMs - this.#releasedMs > releaseEveryMs) this.#release(nowMs);
    if (this.#level === 'critical') this.#shed(nowMs);
  }

  #release(nowMs: number): void {
    this.#releasedMs = nowMs;
    this.#options.release();
    this.#read();
  }

  #assertRoom(reason?: 'memory'): void {
    if (this.#timer === undefined) return;
    if (performance.now() - this.#readMs > readAgainMs) this.#read();
    if (this.#level === 'free') return;
    throw new Refused('the server is low on memory, try again later', { isBusy: true, ...(reason && { reason }) });
  }

  #read(): void {
    this.#readMs = performance.now();
    const use = this.#options.memory();
    if (!use) return;
    const level = levelOf(use.limitBytes - use.usedBytes, use.limitBytes);
    if (level === this.#level) return;
    const facts = { usedMb: Math.round(use.usedBytes / MiB), limitMb: Math.round(use.limitBytes / MiB) };
    if (level === 'full' && this.#level === 'free')
      this.#options.log.warn(facts, 'memory is nearly full, new viewers and publishers are refused');
    else if (level === 'critical') this.#options.log.warn(facts, 'memory is nearly full, viewers are disconnected');
    else if (level === 'free') this.#options.log.info(facts, 'memory is free again');
    this.#level = level;
  }

  #shed(nowMs: number): void {
    const viewers = [...this.#options.clients.all()]
      .filter(({ info }) => countsAsViewer(info) && holdsMemory(info))
      .map((entry) => ({ entry, lagMs: entry.lag?.() ?? entry.counters.behindMs ?? 0 }));
    const end = (first: readonly { readonly entry: ClientEntry }[]) => {
      for (const { entry } of first.slice(0, Math.ceil(viewers.length * shedPart)))
        entry.kick('the server is low on memory');
    };
    const behind = viewers.filter(({ lagMs }) => lagMs > behindMs);
    if (behind.length > 0) {
      this.#behindEndedMs = nowMs;
      end(behind.sort((a, b) => b.lagMs - a.lagMs));
      return;
    }
    // Memory that they held is free once garbage was collected: no reason to end others before that.
    if (this.#releasedMs <= this.#behindEndedMs) this.#release(nowMs);
    if (this.#level === 'critical') end(viewers.sort((a, b) => connectedMs(b.entry) - connectedMs(a.entry)));
  }
}

function levelOf(leftBytes: number, limitBytes: number): Level {
  const kept = Math.min(freeBytes.most, Math.max(freeBytes.least, limitBytes * freeShare));
  if (leftBytes < kept * shedShare) return 'critical';
  return leftBytes < kept ? 'full' : 'free';
}

/** Players of HLS have no connection of their own between two requests. */
function holdsMemory({ kind }: ClientInfo): boolean {
  return kind !== 'hls-play';
}

function connectedMs({ info }: ClientEntry): number {
  return info.connectedAt.getTime();
}
