import type { Socket } from 'node:net';
import type { MediaFrame, TrackConfig } from '@weir/media';
import { WatchClock } from '@weir/plane';
import { SharedBytes } from '../../delivery/shared-bytes.ts';
import type { SharedMemory } from '../../delivery/shared-memory.ts';
import type { ClientEntry } from '../clients/clients.ts';
import type { Packager } from '../packager.ts';
import type { RateMeter } from '../rate-meter.ts';
import type { StreamView } from '../stream.ts';
import { windowFor } from './flush-window.ts';
import { GroupBytes } from './group-bytes.ts';
import { SendQueue } from './send-queue.ts';
import type { Viewer } from './viewer.ts';
import { ViewerLag } from './viewer-lag.ts';
import type { WireFormat } from './wire-format.ts';

/** Unread bytes after which a viewer waits for the next keyframe. */
const mostBacklogBytes = 4 * 1024 * 1024;
/** A viewer continues once nearly everything was taken. */
const resumeBacklogBytes = 256 * 1024;
const dropAfterMs = 15_000;
/** Interval between flushes. Without data, no viewer falls behind. */
const longestStepMs = 2000;
const largestBatchBytes = 8 * 1024 * 1024;
const nothing = Buffer.alloc(0);

/** What goes out at once. */
interface Window {
  readonly bytes: SharedBytes;
  readonly frames: number;
  readonly isEntry: boolean;
}

interface Options {
  readonly bytesOut: RateMeter;
  readonly onEmpty: () => void;
  readonly memory?: SharedMemory;
}

/** Sends one stream to many sockets. Frames are serialised once, gathered for a window, and sent once per viewer. */
export class FanOut implements Packager {
  readonly #stream: StreamView;
  readonly #format: WireFormat;
  readonly #bytesOut: RateMeter;
  readonly #onEmpty: () => void;
  readonly #viewers = new Set<Viewer>();
  #batch: Buffer[] = [];
  #batchBytes = 0;
  #batchFrames = 0;
  #batchId = 0;
  /** The batch begins where a viewer that fell behind can go on. */
  #isEntry = false;
  #hasVideo = false;
  #hasWaiting = false;
  readonly #group: GroupBytes;
  /** Stream header and current batch, cached for viewers that join at the same time. */
  #head: Buffer | undefined;
  #pending: SharedBytes | undefined;
  readonly #clock = new WatchClock(longestStepMs);
  readonly #lag = new ViewerLag();
  #flushCostMs = 0;
  /** Bytes handed to sockets and not yet counted: counting once per flush is cheaper than once per viewer. */
  #written = 0;
  #lastMs = 0;
  #timer: NodeJS.Timeout | NodeJS.Immediate | undefined;
  #isTimeout = false;

  constructor(stream: StreamView, format: WireFormat, options: Options) {
    this.#stream = stream;
    this.#format = format;
    this.#bytesOut = options.bytesOut;
    this.#onEmpty = options.onEmpty;
    this.#group = new GroupBytes(options.memory);
    stream.attach(this);
  }

  get size(): number {
    return this.#viewers.size;
  }

  /** Gives a viewer headers and the cached pictures in one write; from then on it gets what everybody gets. */
  add(client: ClientEntry, socket: Socket): Viewer {
    const viewer: Viewer = {
      client,
      socket,
      queue: new SendQueue(socket),
      behindSinceMs: undefined,
      givenUntil: undefined,
      isWaiting: this.#stream.isStarting,
      joinedIn: this.#batchId,
      joinedAt: this.#batchBytes,
    };
    this.#viewers.add(viewer);
    this.#hasWaiting ||= viewer.isWaiting;
    client.lag = () => this.#lag.of(viewer);
    try {
      if (!viewer.isWaiting) this.#begin(viewer, this.#untilNow());
    } catch (error) {
      // A stream that cannot be started must not be held: this may be the only viewer.
      this.remove(viewer);
      throw error;
    }
    return viewer;
  }

  /** With the first frame, everybody who waited for it begins. */
  #beginWaiting(): void {
    this.#hasWaiting = false;
    for (const viewer of this.#viewers) {
      if (!viewer.isWaiting) continue;
      viewer.isWaiting = false;
      viewer.joinedIn = this.#batchId;
      viewer.joinedAt = this.#batchBytes;
      try {
        this.#begin(viewer, []);
      } catch {
        this.#lose(viewer);
      }
    }
  }

  #begin(viewer: Viewer, recent: readonly SharedBytes[]): void {
    this.#head ??= Buffer.concat([this.#format.start(this.#stream), ...this.#configBytes()]);
    for (const { length } of [this.#head, ...recent]) this.#count(viewer, length);
    viewer.queue.sendAll(this.#head, recent);
  }

  /** The frames from the last keyframe to this moment. */
  #untilNow(): readonly SharedBytes[] {
    if (this.#batchBytes > 0) this.#pending ??= new SharedBytes([...this.#batch], this.#batchBytes);
    const pending = this.#batchBytes > 0 && this.#pending ? [this.#pending] : [];
    if (this.#hasVideo && this.#isEntry) return pending;
    if (this.#group.isWhole) return [...this.#group.windows, ...pending];
    // Before the first keyframe of its own it has only the stream's cache. That of sound alone is always taken from there.
    const cached = this.#stream.cached();
    const bytes = new SharedBytes([Buffer.concat(cached.map((frame) => this.#cachedBytes(frame)))]);
    if (cached[0]?.kind === 'video' && this.#batchBytes === 0) this.#group.begin(bytes);
    return bytes.length > 0 ? [bytes] : [];
  }

  /** A frame without a form in this protocol is skipped for all viewers alike. */
  #cachedBytes(frame: MediaFrame): Buffer {
    try {
      return this.#format.frame(frame);
    } catch {
      return nothing;
    }
  }

  remove(viewer: Viewer): void {
    if (this.#viewers.delete(viewer) && this.#viewers.size === 0) {
      this.#stop();
      this.#onEmpty();
    }
  }

  onConfig(config: TrackConfig): void {
    if (config.kind === 'video') {
      const { metadata } = this.#format;
      if (metadata && this.#hasVideo && this.#viewers.size > 0) this.#append(metadata(this.#stream, this.#lastMs), 0);
      this.#hasVideo = true;
      this.#group.clear();
    }
    if (this.#viewers.size > 0) this.#append(this.#format.config(config, this.#lastMs), 0);
    this.#head = undefined;
  }

  onTrackMissing(kind: TrackConfig['kind']): void {
    if (kind === 'video') this.#hasVideo = false;
    this.#head = undefined;
  }

  onFrame(frame: MediaFrame): void {
    // A keyframe always begins a batch, so that whoever fell behind can go on with a whole one.
    if (frame.kind === 'video' && frame.isKeyframe && this.#batchBytes > 0) this.#flush();
    if (this.#batchBytes === 0) this.#isEntry = !this.#hasVideo || (frame.kind === 'video' && frame.isKeyframe);
    this.#lastMs = frame.dtsMs;
    if (frame.isKeyframe) this.#head = undefined;
    if (this.#hasWaiting) this.#beginWaiting();
    this.#append(this.#format.frame(frame), 1);
  }

  onDiscontinuity(): void {
    this.#flush();
    this.#group.clear();
  }

  close(): void {
    this.#flush();
    this.#stop();
    for (const { client } of [...this.#viewers]) client.kick('the stream has ended');
  }

  #configBytes(): Buffer[] {
    const { video, audio } = this.#stream;
    return [video, audio].flatMap((config) => (config ? [this.#format.config(config, this.#lastMs)] : []));
  }

  #append(bytes: Buffer, frames: number): void {
    if (bytes.length === 0) return;
    this.#pending = undefined;
    this.#batch.push(bytes);
    this.#batchBytes += bytes.length;
    this.#batchFrames += frames;
    if (this.#batchBytes >= largestBatchBytes) this.#flush();
    else if (this.#timer === undefined) this.#schedule();
  }

  #schedule(): void {
    const waitMs = windowFor(this.#flushCostMs, performance.now());
    this.#isTimeout = waitMs >= 1;
    this.#timer = this.#isTimeout ? setTimeout(this.#onTime, waitMs) : setImmediate(this.#onTime);
  }

  readonly #onTime = (): void => {
    this.#timer = undefined;
    this.#flush();
  };

  #flush(): void {
    this.#cancel();
    if (this.#batchBytes === 0) return;
    const bytes = new SharedBytes(this.#batch, this.#batchBytes);
    const isEntry = this.#isEntry;
    const window: Window = { bytes, frames: this.#batchFrames, isEntry };
    this.#batch = [];
    this.#batchBytes = 0;
    this.#batchFrames = 0;
    this.#isEntry = false;
    this.#pending = undefined;
    if (this.#hasVideo && isEntry) this.#group.begin(bytes);
    else this.#group.add(bytes);
    const id = this.#batchId++;
    const before = performance.now();
    this.#lag.add(bytes.length, before);
    const watchedMs = this.#clock.now();
    for (const viewer of this.#viewers) {
      if (viewer.isWaiting) continue;
      const from = viewer.joinedIn === id ? viewer.joinedAt : 0;
      if (from < bytes.length) this.#serve(viewer, window, from, watchedMs);
    }
    this.#bytesOut.add(this.#written);
    this.#written = 0;
    // Half the old, half the new: one slow flush must not delay the next second.
    this.#flushCostMs = (this.#flushCostMs + performance.now() - before) / 2;
  }

  /** Runs from a timer for all viewers: an error of one viewer must not affect the others. */
  #serve(viewer: Viewer, window: Window, from: number, nowMs: number): void {
    try {
      this.#offer(viewer, window, from, nowMs);
    } catch {
      this.#lose(viewer);
    }
  }

  #lose(viewer: Viewer): void {
    this.remove(viewer);
    viewer.socket.destroy();
  }

  #offer(viewer: Viewer, { bytes, frames, isEntry }: Window, from: number, nowMs: number): void {
    const backlog = viewer.queue.cost;
    if (viewer.behindSinceMs !== undefined) {
      if (isEntry && backlog <= resumeBacklogBytes) {
        viewer.behindSinceMs = undefined;
        viewer.givenUntil = undefined;
        if (this.#hasVideo) for (const config of this.#configBytes()) this.#write(viewer, config);
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

  #cancel(): void {
    if (this.#timer === undefined) return;
    if (this.#isTimeout) clearTimeout(this.#timer as NodeJS.Timeout);
    else clearImmediate(this.#timer as NodeJS.Immediate);
    this.#timer = undefined;
  }

  #stop(): void {
    this.#cancel();
    this.#batch = [];
    this.#batchBytes = 0;
    this.#pending = undefined;
    this.#group.close();
    this.#stream.detach(this);
  }
}
