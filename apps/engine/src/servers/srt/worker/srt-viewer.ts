import type { TsBatch } from '../../../packagers/mpegts/ts-batches.ts';
import type { RemoteViewer } from '../../../workers/worker/remote-admission.ts';
import type { SrtSocketOwner } from './libsrt/srt-socket.ts';
import type { SrtFanOut } from './srt-fan-out.ts';

/** Bytes that wait here after which a viewer gets nothing until the next entry; libsrt's own buffer comes on top. */
const mostBacklogBytes = 4 * 1024 * 1024;
/** It may go on once it has taken nearly everything. */
const resumeBacklogBytes = 256 * 1024;
const dropAfterMs = 15_000;

/** What a viewer needs of its socket. */
export interface MessageSink {
  /** False when there is no room now. */
  send(message: Buffer): boolean;
  /** Says once, by `onWritable`, that there is room again. */
  awaitRoom(): void;
}

interface Options {
  readonly admitted: Pick<RemoteViewer, 'entry' | 'leave'>;
  readonly socket: MessageSink;
  readonly end: (reason: string) => void;
}

/** A caller that watches: batches in, messages to libsrt as fast as it takes them. */
export class SrtViewer implements SrtSocketOwner {
  readonly #options: Options;
  #fanOut: SrtFanOut | undefined;
  /** What libsrt had no room for, and how much of the first batch it took. */
  #waiting: TsBatch[] = [];
  #sent = 0;
  /** When each of them was offered. */
  #offeredMs: number[] = [];
  #backlogBytes = 0;
  /** It gets nothing before a batch that it can begin with. */
  #needsEntry = true;
  /** Since when it gets nothing because it did not take what it had; undefined while it keeps up. */
  #behindSinceMs: number | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  join(fanOut: SrtFanOut): void {
    this.#fanOut = fanOut;
    fanOut.add(this);
  }

  /** What it takes on counts as delivered. */
  offer(batch: TsBatch, nowMs: number): void {
    const { counters } = this.#options.admitted.entry;
    if (this.#behindSinceMs === undefined && this.#backlogBytes > mostBacklogBytes) {
      this.#behindSinceMs = nowMs;
      this.#needsEntry = true;
    }
    if (this.#needsEntry && !(batch.isEntry && this.#backlogBytes <= resumeBacklogBytes)) {
      if (this.#behindSinceMs === undefined) return;
      counters.droppedFrames += batch.frames;
      counters.behindMs = nowMs - (this.#offeredMs[0] ?? nowMs);
      if (nowMs - this.#behindSinceMs > dropAfterMs) this.#options.end('too slow');
      return;
    }
    this.#needsEntry = false;
    this.#behindSinceMs = undefined;
    counters.bytesOut += batch.bytes;
    this.#waiting.push(batch);
    this.#offeredMs.push(nowMs);
    this.#backlogBytes += batch.bytes;
    if (this.#waiting.length === 1) this.onWritable();
    counters.behindMs = nowMs - (this.#offeredMs[0] ?? nowMs);
  }

  onWritable(): void {
    const { socket } = this.#options;
    for (let batch = this.#waiting[0]; batch; batch = this.#waiting[0]) {
      for (let message = batch.messages[this.#sent]; message; message = batch.messages[this.#sent]) {
        if (!socket.send(message)) {
          socket.awaitRoom();
          return;
        }
        this.#sent += 1;
        this.#backlogBytes -= message.length;
      }
      this.#waiting.shift();
      this.#offeredMs.shift();
      this.#sent = 0;
    }
    this.#options.admitted.entry.counters.behindMs = 0;
  }

  /** Viewers have nothing to say: this one publishes to a stream that it was given to watch. */
  onMessage(): void {
    this.#options.end('sent data while playing');
  }

  onGone(reason: string): void {
    this.#options.end(reason);
  }

  kick(reason: string): void {
    this.#options.end(reason);
  }

  leave(reason: string): void {
    this.#waiting = [];
    this.#offeredMs = [];
    this.#fanOut?.remove(this);
    this.#options.admitted.leave(reason);
  }
}
