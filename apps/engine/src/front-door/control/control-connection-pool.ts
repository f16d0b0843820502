import { connect, type Socket } from 'node:net';
import { type PlainAnswer, readPlainAnswer } from './plain-answer.ts';

/** Receiver of an answer. */
export interface Receiver {
  /** Its head is here, with as much of the body as came along. */
  onAnswer(answer: PlainAnswer, piece: Buffer, isWhole: boolean): void;
  onPiece(piece: Buffer, isWhole: boolean): void;
  /** No answer, or no more of it: the connection is gone. */
  onLost(why: 'garbled' | 'down', code: string): void;
}

/** Kept lines, and how long: well below the time after which the control plane ends an idle connection. */
const mostIdle = 16;
const idleMs = 20_000;
const maxHeadBytes = 64 * 1024;
const headEnd = Buffer.from('\r\n\r\n');
const nothing = Buffer.alloc(0);

/** Connections to the control plane for plain calls: one call at a time on each, and kept for the next. */
export class ControlConnectionPool {
  readonly #socketPath: string;
  readonly #idle: ControlConnection[] = [];
  readonly #open = new Set<ControlConnection>();

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  /** Sends a request that is whole. */
  send(request: Buffer, receiver: Receiver): ControlConnection {
    const line = this.#idle.pop() ?? this.#connect();
    line.send(request, receiver);
    return line;
  }

  close(): void {
    for (const line of this.#open) line.leave();
  }

  #connect(): ControlConnection {
    const line = new ControlConnection(connect(this.#socketPath), {
      onFree: () => {
        if (this.#idle.length < mostIdle) this.#idle.push(line);
        else line.leave();
      },
      onGone: () => {
        this.#open.delete(line);
        const place = this.#idle.indexOf(line);
        if (place >= 0) this.#idle.splice(place, 1);
      },
    });
    this.#open.add(line);
    return line;
  }
}

interface Owner {
  /** Called when it can carry another call. */
  onFree(): void;
  onGone(): void;
}

/** Connection that reads answers with a known length. */
export class ControlConnection {
  readonly #socket: Socket;
  readonly #owner: Owner;
  #receiver: Receiver | undefined;
  /** The beginning of a head that is not over. */
  #head: Buffer = nothing;
  #answer: PlainAnswer | undefined;
  #missingBytes = 0;
  #error = '';

  constructor(socket: Socket, owner: Owner) {
    this.#socket = socket;
    this.#owner = owner;
    socket.on('data', (chunk) => this.#onData(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#error = error.code ?? '';
    });
    // The control plane sends nothing after its end of a connection.
    socket.on('end', () => this.#lose('down'));
    socket.on('close', () => this.#lose('down'));
    socket.on('timeout', () => {
      if (!this.#receiver) this.leave();
    });
    socket.setTimeout(idleMs);
  }

  send(request: Buffer, receiver: Receiver): void {
    this.#receiver = receiver;
    this.#socket.write(request);
  }

  /** The receiver wants no more for now. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Closes the connection, also during a request. */
  leave(): void {
    this.#receiver = undefined;
    this.#owner.onGone();
    this.#socket.destroy();
  }

  #lose(why: 'garbled' | 'down'): void {
    const receiver = this.#receiver;
    this.leave();
    receiver?.onLost(why, this.#error);
  }

  #onData(chunk: Buffer): void {
    if (!this.#receiver) this.leave();
    else if (this.#answer) this.#onPiece(this.#receiver, chunk);
    else this.#onHead(this.#receiver, this.#head.length > 0 ? Buffer.concat([this.#head, chunk]) : chunk);
  }

  #onHead(receiver: Receiver, bytes: Buffer): void {
    const end = bytes.indexOf(headEnd);
    this.#head = end < 0 ? bytes : nothing;
    if (end < 0 && bytes.length <= maxHeadBytes) return;
    const answer = end < 0 ? undefined : readPlainAnswer(bytes.toString('latin1', 0, end));
    const piece = bytes.subarray(end + headEnd.length);
    if (!answer || piece.length > answer.bodyBytes) {
      this.#lose('garbled');
      return;
    }
    this.#answer = answer;
    this.#missingBytes = answer.bodyBytes - piece.length;
    const isWhole = this.#missingBytes === 0;
    if (isWhole) this.#free(answer);
    receiver.onAnswer(answer, piece, isWhole);
  }

  #onPiece(receiver: Receiver, piece: Buffer): void {
    this.#missingBytes -= piece.length;
    if (this.#missingBytes < 0) {
      this.#lose('garbled');
      return;
    }
    const isWhole = this.#missingBytes === 0;
    if (isWhole && this.#answer) this.#free(this.#answer);
    receiver.onPiece(piece, isWhole);
  }

  #free({ isKept }: PlainAnswer): void {
    this.#answer = undefined;
    this.#receiver = undefined;
    if (isKept) this.#owner.onFree();
    else this.leave();
  }
}
