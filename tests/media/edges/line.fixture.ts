import { connect, type Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';

interface Got {
  readonly status: number;
  readonly text: string;
  readonly bytes: number;
}

interface Question {
  readonly resolve: (got: Got) => void;
  readonly reject: (error: Error) => void;
  readonly pieces: Buffer[];
  /** Head and body; unknown until the head is whole. */
  wholeBytes: number | undefined;
  haveBytes: number;
}

const headEnd = '\r\n\r\n';
/** Longer than the origin or an edge makes anybody wait. */
const patienceMs = 60_000;

/** A connection that is kept and asked one thing after the other, as a player does. Node's own client costs ten times as much, which hundreds would notice. */
export class Line {
  readonly #host: string;
  readonly #port: number;
  #socket: Socket | undefined;
  #question: Question | undefined;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#host = hostname;
    this.#port = Number(port);
  }

  get(path: string, headers = ''): Promise<Got> {
    const { promise, resolve, reject } = Promise.withResolvers<Got>();
    this.#question = { resolve, reject, pieces: [], wholeBytes: undefined, haveBytes: 0 };
    this.#socket ??= this.#dial();
    const host = `Host: ${this.#host}:${this.#port}\r\nAccept-Encoding: gzip\r\n`;
    this.#socket.write(`GET ${path} HTTP/1.1\r\n${host}${headers}\r\n`, 'latin1');
    return promise;
  }

  close(): void {
    this.#socket?.destroy();
    this.#fail(new Error('closed'));
  }

  #dial(): Socket {
    const socket = connect({ host: this.#host, port: this.#port, noDelay: true });
    const lost = (error: Error) => {
      if (this.#socket === socket) this.#socket = undefined;
      socket.destroy();
      this.#fail(error);
    };
    socket.setTimeout(patienceMs, () => lost(new Error('no answer')));
    socket.on('data', (piece: Buffer) => this.#read(piece)).on('error', lost);
    return socket.once('close', () => lost(new Error('the connection was closed')));
  }

  #read(piece: Buffer): void {
    const question = this.#question;
    if (!question) return;
    question.pieces.push(piece);
    question.haveBytes += piece.length;
    if (question.wholeBytes === undefined) {
      const have = Buffer.concat(question.pieces);
      const end = have.indexOf(headEnd);
      if (end === -1) return;
      const [, length] = /\r\ncontent-length: *(\d+)/i.exec(have.toString('latin1', 0, end)) ?? [];
      if (length === undefined) {
        this.#socket?.destroy(new Error('an answer without a length'));
        return;
      }
      question.wholeBytes = end + headEnd.length + Number(length);
    }
    if (question.haveBytes >= question.wholeBytes) this.#answered(question);
  }

  #answered({ pieces, resolve }: Question): void {
    this.#question = undefined;
    const whole = Buffer.concat(pieces);
    const at = whole.indexOf(headEnd) + headEnd.length;
    const head = whole.toString('latin1', 0, at);
    const body = whole.subarray(at);
    if (/\r\nconnection: close\r\n/i.test(head)) this.#socket?.destroy();
    if (this.#socket?.destroyed) this.#socket = undefined;
    const isCompressed = /\r\ncontent-encoding: gzip\r\n/i.test(head);
    const text = (isCompressed ? gunzipSync(body) : body).toString('latin1');
    resolve({ status: Number(head.slice(9, 12)), text, bytes: body.length });
  }

  #fail(error: Error): void {
    const question = this.#question;
    this.#question = undefined;
    question?.reject(error);
  }
}
