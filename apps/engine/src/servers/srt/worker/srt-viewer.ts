import type { RemoteViewer } from '../../../workers/worker/remote-admission.ts';
import type { SrtSocketOwner } from './libsrt/srt-socket.ts';
import { SlowPlayerDetector } from './slow-player-detector.ts';
import type { SrtFanOut } from './srt-fan-out.ts';
import type { TsBatch } from './ts-batches.ts';

/** Bytes that wait here after which a viewer gets nothing until the next entry; libsrt's own buffer comes on top. */
const mostBacklogBytes = 4 * 1024 * 1024;
/** A viewer continues once nearly everything was taken. */
const resumeBacklogBytes = 256 * 1024;
const dropAfterMs = 15_000;

/** Socket functions that a viewer needs. */
export interface MessageSink {
  /** Returns false without room. */
  send(message: Buffer): boolean;
  /** Calls `onWritable` once when there is room again. */
  awaitRoom(): void;
  /** Messages sent and not yet confirmed. */
  readonly unconfirmed: number;
  /** Time that the player waits for missing packets; 0 for no limit. */
  readonly peerLatencyMs: number;
  facts(): { readonly packetsLost: number } | undefined;
  /** Limits unconfirmed messages; undefined = as many as fit into memory. */
  setWindow(messages: number | undefined): void;
}

interface Options {
  readonly admitted: Pick<RemoteViewer, 'entry' | 'leave'>;
  readonly socket: MessageSink;
  readonly end: (reason: string) => void;
}

/** Messages that wait for libsrt to have room. */
interface Waiting {
  readonly messages: readonly Buffer[];
}

/** A caller that watches: batches in, messages to libsrt as fast as it takes them. */
export class SrtViewer implements SrtSocketOwner {
  readonly #options: Options;
  readonly #line: SlowPlayerDetector;
  #window: number | undefined;
  #fanOut: SrtFanOut | undefined;
  /** Messages that libsrt had no room for; `#sent` counts those of the first batch that it accepted. */
  #waiting: Waiting[] = [];
  #sent = 0;
  #waitingMessages = 0;
  #backlogBytes = 0;
  /** True until a batch begins with a keyframe: the viewer gets no video before it. */
  #needsEntry = true;
  /** Start of a period without video because it fell behind; undefined while it keeps up. */
  #behindSinceMs: number | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#line = new SlowPlayerDetector(options.socket.peerLatencyMs, () => options.socket.facts()?.packetsLost ?? 0);
  }

  join(fanOut: SrtFanOut): void {
    this.#fanOut = fanOut;
    fanOut.add(this);
  }

  /** Batches that are accepted count as delivered. */
  offer(batch: TsBatch, nowMs: number): void {
    const { counters } = this.#options.admitted.entry;
    const { unconfirmed } = this.#options.socket;
    this.#line.update(unconfirmed + this.#waitingMessages, nowMs, this.#waitingMessages);
    counters.behindMs = this.#line.ageMs;
    if (this.#behindSinceMs === undefined && (this.#line.isLate || this.#backlogBytes > mostBacklogBytes)) {
      this.#behindSinceMs = nowMs;
      this.#needsEntry = true;
      this.#line.noteLate(unconfirmed, nowMs);
    }
    if (this.#needsEntry && !(batch.isEntry && this.#canEnter(nowMs))) this.#skip(batch, nowMs);
    else {
      this.#needsEntry = false;
      this.#behindSinceMs = undefined;
      this.#enqueue(batch.messages, nowMs);
    }
    if (this.#line.window === this.#window) return;
    this.#window = this.#line.window;
    this.#options.socket.setWindow(this.#window);
  }

  #canEnter(nowMs: number): boolean {
    if (this.#behindSinceMs === undefined) return true;
    return this.#backlogBytes <= resumeBacklogBytes && this.#line.resume(nowMs);
  }

  /** Sends only the audio of a batch that would arrive too late, if there is room for it. */
  #skip(batch: TsBatch, nowMs: number): void {
    if (this.#behindSinceMs === undefined) return;
    const { counters } = this.#options.admitted.entry;
    const sendsAudio = this.#backlogBytes === 0 && this.#line.shouldSendAudio(nowMs);
    counters.droppedFrames += sendsAudio ? batch.videoFrames : batch.frames;
    if (sendsAudio) this.#enqueue(batch.audio, nowMs);
    if (nowMs - this.#behindSinceMs > dropAfterMs) this.#options.end('too slow');
  }

  #enqueue(messages: readonly Buffer[], nowMs: number): void {
    if (messages.length === 0) return;
    let bytes = 0;
    for (const message of messages) bytes += message.length;
    this.#options.admitted.entry.counters.bytesOut += bytes;
    this.#line.noteOffered(messages.length, nowMs);
    this.#waiting.push({ messages });
    this.#waitingMessages += messages.length;
    this.#backlogBytes += bytes;
    // Also while others wait: with a long delay, the window may have room long before the next check.
    this.onWritable();
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
        this.#waitingMessages -= 1;
        this.#backlogBytes -= message.length;
      }
      this.#waiting.shift();
      this.#sent = 0;
    }
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
    this.#fanOut?.remove(this);
    this.#options.admitted.leave(reason);
  }
}
