import type { Socket } from 'node:net';
import { stallMs } from '../../http/exchange.ts';
import { requestLate } from '../../http/failures.ts';
import { edgeHeader } from '../../http/media-replies.ts';
import type { Reply } from '../../http/reply.ts';
import type { FastPathOptions } from './fast-path.ts';
import { FastPathExchange, type FastPathOwner } from './fast-path-exchange.ts';
import { type HeadFields, type RequestHead, readPlainHead } from './request-head.ts';

interface Options extends FastPathOptions {
  /** Gives the connection, and what was read of it, to the HTTP server. */
  readonly handOver: (socket: Socket) => void;
  /** Called when it is closed or handed to another server. */
  readonly onLeft: () => void;
}

/** Limit for pipelined bytes during an answer. */
const maxAheadBytes = 16 * 1024;
const nothing = Buffer.alloc(0);

/** A connection as long as its requests are plain ones; one at a time. */
export class FastPathConnection implements FastPathOwner {
  readonly #socket: Socket;
  readonly #options: Options;
  /** The request that is not answered yet. */
  #current: FastPathExchange | undefined;
  /** An answer that is not complete yet, though no longer ours to give. */
  #isIncomplete = false;
  #isWaiting = false;
  /** Fields of the last request: the next one has the same. */
  #fields: HeadFields | undefined;
  #ahead: Buffer | undefined;
  #idleSinceMs = performance.now();
  #isFirst = true;
  #isClosing = false;

  constructor(socket: Socket, options: Options) {
    this.#socket = socket;
    this.#options = options;
    socket.on('data', this.#onData).on('end', this.#onEnd).on('timeout', this.#onTimeout);
    socket.on('error', ignore).once('close', this.#onClose);
    socket.setTimeout(options.headersMs);
  }

  /** Ends it now when nobody waits for an answer, else after that answer. A request may be on its way to a new one. */
  close(): void {
    if (this.#isFirst) return;
    this.#isClosing = true;
    if (!this.#isAnswering) this.#socket.end();
  }

  get #isAnswering(): boolean {
    return this.#current !== undefined || this.#isIncomplete;
  }

  readonly #onData = (chunk: Buffer): void => {
    if (!this.#ahead && !this.#isAnswering && this.#socket.writableLength === 0) {
      this.#read(chunk);
      return;
    }
    this.#ahead = this.#ahead ? Buffer.concat([this.#ahead, chunk]) : chunk;
    if (this.#ahead.length > maxAheadBytes) this.#socket.destroy();
    else if (!this.#isAnswering) this.#waitForSocket();
  };

  #read(chunk: Buffer): void {
    const { isMedia, isCall, serve, forward, keepAliveMs, callers } = this.#options;
    const head = readPlainHead(chunk, this.#fields);
    const isPost = head?.method === 'POST';
    if (!head || !(isPost ? isCall(head.url) : isMedia(head.method, head.url))) {
      this.#leave(chunk);
      return;
    }
    if (this.#isFirst) this.#socket.setTimeout(Math.min(stallMs, keepAliveMs));
    this.#isFirst = false;
    this.#fields = head.fields;
    const exchange = new FastPathExchange(head, this.#socket, { reply: this.#replyTo(head), callers }, this);
    this.#current = exchange;
    this.#options.connections.setBusy(this.#socket);
    if (isPost) forward(exchange);
    else serve(exchange);
  }

  #replyTo({ method, fields }: RequestHead): Reply {
    const { reply, mediaReplies } = this.#options;
    return method === 'POST' ? reply : mediaReplies.of(fields.get('origin'), fields.get(edgeHeader));
  }

  onAnswered(isComplete: boolean): void {
    this.#current = undefined;
    this.#isIncomplete = !isComplete;
    this.#idleSinceMs = performance.now();
    if (isComplete) this.#afterAnswer();
  }

  onCompleted(): void {
    this.#isIncomplete = false;
    this.#idleSinceMs = performance.now();
    this.#afterAnswer();
  }

  #afterAnswer(): void {
    this.#options.connections.setWaiting(this.#socket);
    if (this.#isClosing) this.#socket.end();
    else if (this.#ahead) this.#waitForSocket();
  }

  /** Pipelined bytes are read after the answer before them has left. */
  #waitForSocket(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#socket.write(nothing, () => {
      this.#isWaiting = false;
      const ahead = this.#ahead;
      if (!ahead || this.#isAnswering || this.#socket.destroyed) return;
      this.#ahead = undefined;
      this.#read(ahead);
    });
  }

  onTaken(): void {
    this.#detach();
  }

  /** Without a sign of life in either direction: stuck in an answer, or idle for so long. */
  readonly #onTimeout = (): void => {
    const { keepAliveMs } = this.#options;
    if (this.#isFirst) {
      this.#detach();
      this.#options.reply.failOnSocket(this.#socket, requestLate);
      return;
    }
    const isIdle = !this.#isAnswering && this.#socket.writableLength === 0;
    const leftMs = keepAliveMs - (performance.now() - this.#idleSinceMs);
    // Waiting for a future part is not idleness; that wait has its own limit.
    if (this.#current) this.#socket.setTimeout(stallMs);
    else if (isIdle && leftMs > 1) this.#socket.setTimeout(leftMs);
    else this.#socket.destroy();
  };

  /** The client hung up. Nearly always it is gone altogether, so what it still waited for is not worth making. */
  readonly #onEnd = (): void => {
    this.#isFirst = false;
    this.#current?.end();
    this.#current = undefined;
    this.close();
  };

  readonly #onClose = (): void => {
    this.#options.onLeft();
    this.#current?.end();
  };

  /** The rest of this connection is not for us, beginning with these bytes. */
  #leave(chunk: Buffer): void {
    this.#detach();
    this.#socket.pause();
    this.#socket.unshift(chunk);
    this.#options.handOver(this.#socket);
    this.#socket.resume();
  }

  #detach(): void {
    const socket = this.#socket;
    socket.off('data', this.#onData).off('end', this.#onEnd).off('timeout', this.#onTimeout);
    socket.off('error', ignore).off('close', this.#onClose);
    socket.setTimeout(0);
    this.#options.onLeft();
  }
}

function ignore(): void {}
