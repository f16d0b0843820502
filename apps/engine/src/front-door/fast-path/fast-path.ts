import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { AnswerSeat } from '../../delivery/answer-seat.ts';
import type { CallerReader } from '../../http/caller.ts';
import { type Exchange, stallMs } from '../../http/exchange.ts';
import { requestLate } from '../../http/failures.ts';
import { edgeHeader, type MediaReplies } from '../../http/media-replies.ts';
import type { Prepared } from '../../http/prepared.ts';
import type { Reply } from '../../http/reply.ts';
import type { Delivery } from '../../hub/fan-out/delivery.ts';
import type { OpenConnections } from '../open-connections.ts';
import { FastPathExchange, type FastPathOwner } from './fast-path-exchange.ts';
import { type HeadFields, type RequestHead, readPlainHead } from './request-head.ts';

interface FastPathOptions {
  readonly reply: Reply;
  readonly mediaReplies: MediaReplies;
  readonly callers: CallerReader;
  readonly headersMs: number;
  readonly keepAliveMs: number;
  /** True if a request target belongs to the media servers. */
  readonly isMedia: (method: string, url: string) => boolean;
  readonly serve: (exchange: Exchange) => void;
  /** True if a request target is a call of the control plane that may be passed on unchanged. */
  readonly isCall: (url: string) => boolean;
  readonly forward: (exchange: FastPathExchange) => void;
  /** Processes that may send large answers. */
  readonly delivery?: Delivery | undefined;
  /** Is told which connections have a request in hand. */
  readonly connections: Pick<OpenConnections, 'setBusy' | 'setWaiting'>;
}

const mostVerdicts = 2000;

/**
 * A short way for the requests that make up nearly all traffic: viewers asking for media in the plainest form, and
 * programs calling the control plane in it. They are read and answered here, without the objects Node's HTTP server makes for each request and keeps for each viewer. A
 * connection stays as long as its requests are of that kind; with the first that is not, the connection goes to Node's
 * server for good, that request included.
 */
export class FastPath {
  readonly #options: FastPathOptions;
  readonly #connections = new Set<FastPathConnection>();
  /** Verdicts of recent paths: thousands of clients request the same few. */
  readonly #verdicts = new Map<string, boolean>();
  readonly #judge: FastPathOptions['isMedia'];
  #isClosing = false;

  constructor(options: FastPathOptions) {
    this.#options = { ...options, isMedia: (method, url) => this.#isMedia(method, url) };
    this.#judge = options.isMedia;
  }

  /** Steps in front of the HTTP server's own listener for new connections. */
  install(server: Server, event: 'connection' | 'secureConnection'): void {
    const listeners = server.listeners(event);
    server.removeAllListeners(event);
    const handOver = (socket: Socket) => {
      for (const listener of listeners) listener.call(server, socket);
    };
    server.on(event, (socket: Socket) => {
      if (this.#isClosing) {
        handOver(socket);
        return;
      }
      const connection: FastPathConnection = new FastPathConnection(socket, {
        ...this.#options,
        handOver,
        onLeft: () => this.#connections.delete(connection),
      });
      this.#connections.add(connection);
    });
  }

  /** By the path alone. What could be wrong with a query, a plain head has not. */
  #isMedia(method: string, url: string): boolean {
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    const known = this.#verdicts.get(path);
    if (known !== undefined) return known;
    if (this.#verdicts.size >= mostVerdicts) this.#verdicts.clear();
    const verdict = this.#judge(method, url);
    this.#verdicts.set(path, verdict);
    return verdict;
  }

  /** Ends connections between requests, at once and as soon as they are. */
  close(): void {
    this.#isClosing = true;
    for (const connection of this.#connections) connection.close();
  }
}

interface Options extends FastPathOptions {
  /** Gives the connection, and what was read of it, to the HTTP server. */
  readonly handOver: (socket: Socket) => void;
  /** Called when it is closed or handed to another server. */
  readonly onLeft: () => void;
}

/** Smaller answers are sent here: telling another process would cost as much. */
const leastElsewhereBytes = 64 * 1024;
/** Limit for pipelined bytes during an answer. */
const maxAheadBytes = 16 * 1024;
const nothing = Buffer.alloc(0);

/** A connection as long as its requests are plain ones; one at a time. */
class FastPathConnection implements FastPathOwner {
  readonly #socket: Socket;
  readonly #options: Options;
  /** The request that is not answered yet. */
  #current: FastPathExchange | undefined;
  /** An answer that is not complete yet, though no longer ours to give. */
  #isIncomplete = false;
  #isWaiting = false;
  /** Place in another process, from the first large answer on. */
  #seat: AnswerSeat | undefined;
  /** That process is sending an answer. */
  #isElsewhere = false;
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

  /** Closes the connection at once when idle, else after the pending answer. Keeps a new one, because its first request may be on its way. */
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

  /** Only while nothing of this process is before it in the connection. */
  sendElsewhere(head: Buffer, stored: Prepared, onSent: () => void): boolean {
    const { delivery } = this.#options;
    if (!delivery || stored.length < leastElsewhereBytes || this.#socket.writableLength > 0) return false;
    if (!this.#seat && delivery.isWanted)
      this.#seat = delivery.shareAsking(this.#socket, (isInAnswer) => this.#onSeatLost(isInAnswer));
    const isSent =
      this.#seat !== undefined &&
      stored.sendBy(this.#seat, head, () => {
        this.#isElsewhere = false;
        onSent();
      });
    this.#isElsewhere = isSent;
    return isSent;
  }

  onSentHere(ms: number): void {
    this.#options.delivery?.addSendingTime(ms);
  }

  /** Nobody knows how much of an answer went out. */
  #onSeatLost(isInAnswer: boolean): void {
    this.#seat = undefined;
    if (isInAnswer) this.#socket.destroy();
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
    // So is sending by another process, which looks at progress itself.
    if (this.#current || this.#isElsewhere) this.#socket.setTimeout(stallMs);
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
    this.#seat?.leave();
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
    this.#seat?.leave();
    this.#seat = undefined;
    this.#options.onLeft();
  }
}

function ignore(): void {}
