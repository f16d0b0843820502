import type { Socket } from 'node:net';
import { WatchClock } from '@weir/plane';
import type { NativeSend } from '../../delivery/native-send.ts';
import type { SharedBytes } from '../../delivery/shared-bytes.ts';
import { SendQueue } from './send-queue.ts';
import type { Viewer, ViewerClient } from './viewer.ts';
import { ViewerLag } from './viewer-lag.ts';

/** Unread bytes after which a viewer waits for the next keyframe. */
const mostBacklogBytes = 4 * 1024 * 1024;
/** A viewer continues once nearly everything was taken. */
const resumeBacklogBytes = 256 * 1024;
const dropAfterMs = 15_000;
/** Longest step that counts as passed between two flushes. A viewer of a silent stream does not fall behind. */
const longestStepMs = 2000;

/** Frames that are sent together. */
export interface Window {
  readonly bytes: SharedBytes;
  readonly frames: number;
  /** True if it begins with a keyframe, so that a viewer that fell behind can continue with it. */
  readonly isEntry: boolean;
}

interface Options {
  /** Track configs, for a viewer that continues after a gap. */
  readonly configs: () => readonly Buffer[];
  /** Undefined where the system lacks them. */
  readonly calls: () => NativeSend | undefined;
  /** Called for a viewer whose window failed, before its connection is ended. */
  readonly onLost: (viewer: Viewer) => void;
}

/** Viewers of one stream whose sockets are in this process: each gets every window, skips to a keyframe when it is behind, or is ended. */
export class Audience {
  readonly #options: Options;
  readonly #viewers = new Set<Viewer>();
  readonly #clock = new WatchClock(longestStepMs);
  readonly #lag: ViewerLag;
  #lastMs = 0;
  #costMs = 0;
  /** Bytes handed to sockets and not yet counted: counting once per flush is cheaper than once per viewer. */
  #written = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#lag = new ViewerLag(options.calls);
  }

  get size(): number {
    return this.#viewers.size;
  }

  /** Time that the last window took. */
  get lastMs(): number {
    return this.#lastMs;
  }

  /** Time that one window takes, averaged. */
  get costMs(): number {
    return this.#costMs;
  }

  all(): ReadonlySet<Viewer> {
    return this.#viewers;
  }

  add(client: ViewerClient, socket: Socket, { isWaiting, joinedAt }: Pick<Viewer, 'isWaiting' | 'joinedAt'>): Viewer {
    const viewer: Viewer = {
      client,
      socket,
      queue: new SendQueue(socket),
      behindSinceMs: undefined,
      givenUntil: undefined,
      seat: undefined,
      isWaiting,
      joinedAt,
    };
    this.#viewers.add(viewer);
    client.lag = () => this.#lag.of(viewer);
    return viewer;
  }

  delete(viewer: Viewer): boolean {
    return this.#viewers.delete(viewer);
  }

  /** Gives a viewer its first bytes in one write. */
  begin(viewer: Viewer, head: Buffer, recent: readonly SharedBytes[]): void {
    for (const { length } of [head, ...recent]) this.#count(viewer, length);
    viewer.queue.sendAll(head, recent);
  }

  /** Returns the bytes given to sockets since the last time. `place`: bytes of the stream before the window. */
  serve(window: Window, place: number): number {
    const { length } = window.bytes;
    const before = performance.now();
    this.#lag.add(length, before);
    const watchedMs = this.#clock.now();
    for (const viewer of this.#viewers) {
      if (viewer.isWaiting) continue;
      const from = Math.max(0, viewer.joinedAt - place);
      if (from < length) this.#serve(viewer, window, from, watchedMs);
    }
    this.#lastMs = performance.now() - before;
    // Half the old, half the new: one slow flush must not delay the next second.
    this.#costMs = (this.#costMs + this.#lastMs) / 2;
    const written = this.#written;
    this.#written = 0;
    return written;
  }

  /** Leaves out a window that this process does not have. All viewers continue at the next keyframe. */
  skip(frames: number): void {
    const nowMs = this.#clock.now();
    for (const viewer of this.#viewers) {
      viewer.behindSinceMs ??= nowMs;
      viewer.client.counters.droppedFrames += frames;
    }
  }

  /** Runs from a timer for all viewers: an error of one viewer must not affect the others. */
  #serve(viewer: Viewer, window: Window, from: number, nowMs: number): void {
    try {
      this.#offer(viewer, window, from, nowMs);
    } catch {
      this.lose(viewer);
    }
  }

  lose(viewer: Viewer): void {
    this.#options.onLost(viewer);
    viewer.socket.destroy();
  }

  #offer(viewer: Viewer, { bytes, frames, isEntry }: Window, from: number, nowMs: number): void {
    const backlog = viewer.queue.cost;
    if (viewer.behindSinceMs !== undefined) {
      if (isEntry && backlog <= resumeBacklogBytes) {
        viewer.behindSinceMs = undefined;
        viewer.givenUntil = undefined;
        for (const config of this.#options.configs()) this.#write(viewer, config);
        this.#send(viewer, bytes, from);
        return;
      }
      viewer.client.counters.droppedFrames += frames;
      if (nowMs - viewer.behindSinceMs > dropAfterMs) viewer.client.kick('too slow');
      return;
    }
    if (backlog > mostBacklogBytes) {
      viewer.behindSinceMs = nowMs;
      viewer.givenUntil = this.#lag.total - (bytes.length - from);
      viewer.client.counters.droppedFrames += frames;
      return;
    }
    this.#send(viewer, bytes, from);
  }

  #send(viewer: Viewer, bytes: SharedBytes, from: number): void {
    this.#count(viewer, bytes.length - from);
    viewer.queue.send(bytes, from);
  }

  #write(viewer: Viewer, bytes: Buffer): void {
    this.#count(viewer, bytes.length);
    viewer.queue.write(bytes);
  }

  #count({ client }: Viewer, bytes: number): void {
    client.counters.bytesOut += bytes;
    this.#written += bytes;
  }
}
