import type { Socket } from 'node:net';
import type { MediaFrame, TrackConfig } from '@weir/media';
import { SharedBytes } from '../../delivery/shared-bytes.ts';
import type { SharedMemory } from '../../delivery/shared-memory.ts';
import type { ClientEntry } from '../clients/clients.ts';
import type { Packager } from '../packager.ts';
import type { RateMeter } from '../rate-meter.ts';
import type { StreamView } from '../stream.ts';
import { Audience, type Window } from './audience.ts';
import type { Delivery, DeliveryFeed } from './delivery.ts';
import { loopLoad, windowFor } from './flush-window.ts';
import { GroupBytes } from './group-bytes.ts';
import { SecureWindows } from './secure-windows.ts';
import type { Viewer } from './viewer.ts';
import type { WireFormat } from './wire-format.ts';

const largestBatchBytes = 8 * 1024 * 1024;
/** Connections shared with other processes after one window. */
const mostShared = 200;
const nothing = Buffer.alloc(0);

interface Options {
  readonly bytesOut: RateMeter;
  readonly onEmpty: () => void;
  readonly memory?: SharedMemory;
  readonly delivery?: Delivery | undefined;
}

/**
 * Sends one stream to many sockets. Frames are serialised once, gathered for a window, and sent once per viewer, by this process or by one that
 * shares the viewer's connection.
 */
export class FanOut implements Packager {
  readonly #stream: StreamView;
  readonly #format: WireFormat;
  readonly #bytesOut: RateMeter;
  readonly #onEmpty: () => void;
  readonly #audience: Audience;
  /** Viewers by TLS. */
  readonly #secure: Audience;
  readonly #secureWindows: SecureWindows;
  readonly #delivery: Delivery | undefined;
  #feed: DeliveryFeed | undefined;
  /** Viewers that other processes send to. */
  readonly #away = new Set<Viewer>();
  #batch: Buffer[] = [];
  #batchBytes = 0;
  #batchFrames = 0;
  /** Bytes of the stream before the batch. */
  #place = 0;
  /** True if a viewer that fell behind can continue at the beginning of the batch. */
  #isEntry = false;
  #hasVideo = false;
  #hasWaiting = false;
  readonly #group: GroupBytes;
  /** Stream header and current batch, cached for viewers that join at the same time. */
  #head: Buffer | undefined;
  #pending: SharedBytes | undefined;
  #lastMs = 0;
  #timer: NodeJS.Timeout | NodeJS.Immediate | undefined;
  #isTimeout = false;

  constructor(stream: StreamView, format: WireFormat, options: Options) {
    this.#stream = stream;
    this.#format = format;
    this.#bytesOut = options.bytesOut;
    this.#onEmpty = options.onEmpty;
    this.#delivery = options.delivery;
    const serving = {
      configs: () => (this.#hasVideo ? this.#configBytes() : []),
      onLost: (viewer: Viewer) => this.remove(viewer),
      calls: () => options.memory?.file?.calls,
    };
    this.#audience = new Audience(serving);
    this.#secure = new Audience(serving);
    this.#secureWindows = new SecureWindows(this.#secure, (bytes) => {
      this.#bytesOut.add(bytes);
      this.#delivery?.addSendingTime(this.#secure.lastMs);
    });
    this.#group = new GroupBytes(options.memory);
    stream.attach(this);
  }

  get size(): number {
    return this.#audience.size + this.#secure.size + this.#away.size;
  }

  /** Sends a viewer headers and the cached pictures in one write. From then on it gets every window. */
  add(client: ClientEntry, socket: Socket): Viewer {
    const viewer = this.#audienceOf(socket).add(client, socket, {
      isWaiting: this.#stream.isStarting,
      joinedAt: this.#place + this.#batchBytes,
    });
    this.#hasWaiting ||= viewer.isWaiting;
    try {
      if (!viewer.isWaiting) this.#begin(viewer, this.#untilNow());
    } catch (error) {
      // A stream that cannot be started must not be held: this may be the only viewer.
      this.remove(viewer);
      throw error;
    }
    return viewer;
  }

  /** Starts the viewers that waited for the first frame. */
  #beginWaiting(): void {
    this.#hasWaiting = false;
    for (const viewer of [...this.#audience.all(), ...this.#secure.all()]) {
      if (!viewer.isWaiting) continue;
      viewer.isWaiting = false;
      viewer.joinedAt = this.#place + this.#batchBytes;
      try {
        this.#begin(viewer, []);
      } catch {
        this.#audienceOf(viewer.socket).lose(viewer);
      }
    }
  }

  #begin(viewer: Viewer, recent: readonly SharedBytes[]): void {
    this.#head ??= Buffer.concat([this.#format.start(this.#stream), ...this.#configBytes()]);
    this.#audienceOf(viewer.socket).begin(viewer, this.#head, recent);
  }

  #audienceOf(socket: Socket): Audience {
    return 'encrypted' in socket ? this.#secure : this.#audience;
  }

  /** The frames from the last keyframe to this moment. */
  #untilNow(): readonly SharedBytes[] {
    if (this.#batchBytes > 0) this.#pending ??= new SharedBytes([...this.#batch], this.#batchBytes);
    const pending = this.#batchBytes > 0 && this.#pending ? [this.#pending] : [];
    if (this.#hasVideo && this.#isEntry) return pending;
    if (this.#group.isWhole) return [...this.#group.windows, ...pending];
    // Before its first keyframe this fan-out has only the stream's cache. Audio alone always comes from the cache.
    const cached = this.#stream.cached();
    const bytes = new SharedBytes([Buffer.concat(cached.map((frame) => this.#cachedBytes(frame)))]);
    if (cached[0]?.kind === 'video' && this.#batchBytes === 0) this.#group.begin(bytes);
    return bytes.length > 0 ? [bytes] : [];
  }

  /** Serialises a frame. A frame that this protocol cannot carry is skipped for all viewers. */
  #cachedBytes(frame: MediaFrame): Buffer {
    try {
      return this.#format.frame(frame);
    } catch {
      return nothing;
    }
  }

  remove(viewer: Viewer): void {
    if (!this.#audienceOf(viewer.socket).delete(viewer) && !this.#away.delete(viewer)) return;
    viewer.seat?.leave();
    if (this.size > 0) return;
    this.#stop();
    this.#onEmpty();
  }

  /** Sends a viewer bytes of its own between two windows. */
  reply(viewer: Viewer, bytes: Buffer): void {
    if (this.#away.has(viewer)) viewer.seat?.reply(bytes);
    else viewer.socket.write(bytes);
  }

  onConfig(config: TrackConfig): void {
    if (config.kind === 'video') {
      const { metadata } = this.#format;
      if (metadata && this.#hasVideo && this.size > 0) this.#append(metadata(this.#stream, this.#lastMs), 0);
      this.#hasVideo = true;
      this.#group.clear();
    }
    if (this.size > 0) this.#append(this.#format.config(config, this.#lastMs), 0);
    this.#head = undefined;
    this.#sendConfigs();
  }

  onTrackMissing(kind: TrackConfig['kind']): void {
    if (kind === 'video') this.#hasVideo = false;
    this.#head = undefined;
    this.#sendConfigs();
  }

  onFrame(frame: MediaFrame): void {
    // A keyframe always begins a batch, so that viewers that fell behind can continue with it.
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
    this.#secureWindows.flush();
    this.#stop();
    const all = [...this.#audience.all(), ...this.#secure.all(), ...this.#away];
    for (const { client } of all) client.kick('the stream has ended');
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
    const nowMs = performance.now();
    const { costMs = 0, load = 0 } = this.#feed ?? {};
    const busiest = Math.max(load, loopLoad.at(nowMs));
    const waitMs = windowFor(Math.max(this.#audience.costMs, costMs), nowMs, busiest);
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
    const batch = this.#batch;
    const bytes = new SharedBytes(batch, this.#batchBytes);
    const isEntry = this.#isEntry;
    const window: Window = { bytes, frames: this.#batchFrames, isEntry };
    this.#batch = [];
    this.#batchBytes = 0;
    this.#batchFrames = 0;
    this.#isEntry = false;
    this.#pending = undefined;
    if (this.#hasVideo && isEntry) this.#group.begin(bytes);
    else this.#group.add(bytes);
    this.#feed?.sendWindow(window);
    this.#bytesOut.add(this.#audience.serve(window, this.#place));
    this.#secureWindows.add(batch, window, this.#place);
    this.#place += bytes.length;
    if (!this.#delivery) return;
    this.#delivery.addSendingTime(this.#audience.lastMs);
    if (this.#delivery.isWanted) this.#share(this.#delivery);
  }

  /** Hands viewers over to other processes. Only viewers without unsent bytes can change between two windows. */
  #share(delivery: Delivery): void {
    let left = mostShared;
    for (const viewer of this.#audience.all()) {
      const { queue, seat, isWaiting, behindSinceMs } = viewer;
      if (isWaiting || behindSinceMs !== undefined || queue.waiting > 0) continue;
      if (seat?.isReady) {
        this.#audience.delete(viewer);
        this.#away.add(viewer);
        seat.startSending();
      } else if (!seat && left > 0) {
        left -= 1;
        this.#feed ??= this.#openFeed(delivery);
        viewer.seat = this.#feed.share(viewer, (reason) => this.#lostSeat(viewer, reason));
      }
    }
  }

  #openFeed(delivery: Delivery): DeliveryFeed {
    const feed = delivery.openFeed(this.#bytesOut);
    feed.setConfigs(this.#hasVideo ? this.#configBytes() : []);
    return feed;
  }

  #sendConfigs(): void {
    this.#feed?.setConfigs(this.#hasVideo ? this.#configBytes() : []);
  }

  /** Disconnects a viewer that the lost process sent to. A viewer that was not handed over yet stays in this process. */
  #lostSeat(viewer: Viewer, reason: string): void {
    viewer.seat = undefined;
    if (this.#away.has(viewer)) viewer.client.kick(reason);
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
    this.#secureWindows.stop();
    this.#feed?.close();
    this.#feed = undefined;
    this.#group.close();
    this.#stream.detach(this);
  }
}
