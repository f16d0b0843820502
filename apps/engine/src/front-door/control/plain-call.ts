import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Log } from '@weir/plane';
import { busy, down, type Failure, garbled, type HeaderList, silent } from '../../http/failures.ts';
import type { HeadFields } from '../fast-path/request-head.ts';
import type { Limits } from '../limits.ts';
import type { ControlConnection, ControlConnectionPool, Receiver } from './control-connection-pool.ts';
import type { PlainAnswer } from './plain-answer.ts';

/** A call that is here as a whole, and the means to answer it. */
export interface PlainExchange {
  readonly method: string;
  readonly url: string;
  readonly fields: HeadFields;
  readonly body: Buffer;
  readonly socket: Socket;
  readonly isOver: boolean;
  answer(status: number, headers: HeaderList, body: Buffer): number;
  begin(status: number, headers: HeaderList, piece: Buffer): boolean;
  complete(): void;
  fail(failure: Failure): void;
  onOver(then: () => void): void;
}

interface Options {
  readonly exchange: PlainExchange;
  readonly limits: Pick<Limits, 'answerMs'>;
  readonly log: Log;
  /** The head of the control plane's answer is here. */
  readonly onAnswer: (status: number, isAccepted: boolean) => void;
}

/** Plain call on the fast path, forwarded to the control plane with its answer; `ProxiedRequest` does the same for other requests. */
export class PlainCall implements Receiver {
  readonly #options: Options;
  #line: ControlConnection | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isBegun = false;

  constructor(options: Options) {
    this.#options = options;
  }

  start(lines: ControlConnectionPool, fields: string): void {
    const { exchange, limits } = this.#options;
    const { method, url, body } = exchange;
    exchange.onOver(() => this.#over());
    this.#timer = setTimeout(() => this.#fail(silent), limits.answerMs);
    const head = Buffer.from(`${method} ${url} HTTP/1.1\r\n${fields}\r\n`, 'latin1');
    this.#line = lines.send(Buffer.concat([head, body]), this);
  }

  /** Evicts this request in favour of another. */
  giveWay(): void {
    this.#fail(busy);
  }

  onAnswer(answer: PlainAnswer, piece: Buffer, isWhole: boolean): void {
    const { exchange, onAnswer } = this.#options;
    clearTimeout(this.#timer);
    onAnswer(answer.status, answer.isAccepted);
    if (isWhole) {
      this.#line = undefined;
      exchange.answer(answer.status, answer.headers, piece);
      return;
    }
    this.#isBegun = true;
    this.#keepPace(exchange.begin(answer.status, answer.headers, piece));
  }

  onPiece(piece: Buffer, isWhole: boolean): void {
    const { exchange } = this.#options;
    const isTaken = exchange.socket.write(piece);
    if (!isWhole) {
      this.#keepPace(isTaken);
      return;
    }
    this.#line = undefined;
    exchange.complete();
  }

  onLost(why: 'garbled' | 'down', code: string): void {
    this.#line = undefined;
    this.#options.log.debug({ reason: code }, 'control server unreachable');
    this.#fail(why === 'garbled' ? garbled : down);
  }

  /** No more is taken from the control plane than the client takes. */
  #keepPace(isTaken: boolean): void {
    const line = this.#line;
    if (isTaken || !line) return;
    line.pause();
    this.#options.exchange.socket.once('drain', () => line.resume());
  }

  #fail(failure: Failure): void {
    const { exchange, log } = this.#options;
    this.#leaveLine();
    if (failure === silent) log.warn('control server is not responding');
    if (this.#isBegun) this.#cut();
    else exchange.fail(failure);
  }

  /** Closes the connection, so that a partial answer is not taken for a complete one. */
  #cut(): void {
    const { socket } = this.#options.exchange;
    if (socket instanceof TLSSocket) socket.destroy();
    else socket.resetAndDestroy();
  }

  /** The client left or has its answer: the rest from upstream is dropped. */
  #over(): void {
    this.#leaveLine();
  }

  #leaveLine(): void {
    clearTimeout(this.#timer);
    this.#line?.leave();
    this.#line = undefined;
  }
}
