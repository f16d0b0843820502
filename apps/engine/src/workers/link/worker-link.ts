import type { Duplex } from 'node:stream';
import type { MediaFrame } from '@weir/media';
import { errorMessage } from '@weir/plane/error-message';
import {
  BrokenLink,
  headBytes,
  messageKind,
  mostMessageBytes,
  readFrame,
  readNote,
  type WorkerMessage,
  writeFrameHead,
  writeNote,
} from './link-message.ts';
import { LinkReader } from './link-reader.ts';

/** Payloads below this size are copied behind their head, which saves a write. */
const smallBytes = 4096;
/** Limit of queued messages, which are never dropped: above it, the link is closed. */
const mostWaitingBytes = 96 * 1024 * 1024;
/** Room for the head of a frame. */
const margin = 64;

interface LinkEvents<In extends WorkerMessage> {
  onNote(note: In): void;
  onFrame(number: number, frame: MediaFrame): void;
  /** Called once when the link ends: the other end is gone or invalid, or `error` was thrown by a callback. Empty for a plain end. */
  onLost(reason: string, error?: unknown): void;
}

/** One end of the socket between the engine and a worker. Sending never waits for the other end. */
export class WorkerLink<In extends WorkerMessage, Out extends WorkerMessage> {
  readonly #socket: Duplex;
  readonly #events: LinkEvents<In>;
  readonly #reader: LinkReader;
  #isCorked = false;
  #isLost = false;

  constructor(socket: Duplex, events: LinkEvents<In>) {
    this.#socket = socket;
    this.#events = events;
    this.#reader = new LinkReader((kind, number, body) => this.#onMessage(kind, number, body));
    socket.on('data', (chunk: Buffer) => this.read(chunk));
    socket.on('error', () => this.#lose(''));
    socket.on('close', () => this.#lose(''));
  }

  /** Bytes that the system has not taken yet. */
  get queuedBytes(): number {
    return this.#socket.writableLength;
  }

  tell(note: Out): void {
    const message = writeNote(note);
    // Names and descriptions of this length are invalid; the other end would refuse them.
    if (message.length - headBytes > mostMessageBytes) throw new BrokenLink('a note is too long');
    this.#write(message);
    if (this.queuedBytes > mostWaitingBytes) this.#lose('does not read its messages');
  }

  frame(number: number, frame: MediaFrame): void {
    const { payload } = frame;
    if (payload.length + margin > mostMessageBytes) return;
    if (payload.length > smallBytes) {
      this.#write(writeFrameHead(number, frame));
      this.#write(payload);
      return;
    }
    const message = writeFrameHead(number, frame, payload.length);
    payload.copy(message, message.length - payload.length);
    this.#write(message);
  }

  close(): void {
    this.#isLost = true;
    this.#socket.destroy();
  }

  /** Batches writes of one turn into one system call. */
  #write(bytes: Buffer): void {
    if (this.#isLost || this.#socket.destroyed) return;
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#socket.cork();
      process.nextTick(this.#uncork);
    }
    this.#socket.write(bytes);
  }

  readonly #uncork = (): void => {
    this.#isCorked = false;
    this.#socket.uncork();
  };

  /** Processes received bytes, which now belong to the link; called by the reader of the socket. */
  read(chunk: Buffer): void {
    if (this.#isLost) return;
    try {
      this.#reader.push(chunk);
    } catch (error) {
      this.#lose(errorMessage(error), error);
    }
  }

  #onMessage(kind: number, number: number, body: Buffer): void {
    if (this.#isLost) return;
    if (kind === messageKind.frame) this.#events.onFrame(number, readFrame(body));
    else if (kind === messageKind.note) this.#events.onNote(readNote(body) as In);
    else throw new BrokenLink(`a message of kind ${kind}`);
  }

  #lose(reason: string, error?: unknown): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#socket.destroy();
    this.#events.onLost(reason, error);
  }
}
