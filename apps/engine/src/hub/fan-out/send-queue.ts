import type { Socket } from 'node:net';
import { type PendingAccount, PendingBytes } from '../pending-bytes.ts';

/** Memory that a waiting write costs beside its bytes. */
const writeCost = 512;
/**
 * Size of a write to a connection by TLS. TLS encrypts each write at once, into memory of that connection, and keeps it until the peer
 * has taken it. The rest waits as buffers that all viewers share.
 */
const pieceBytes = 256 * 1024;
/** Largest write that is not counted before it has to wait. */
export const smallBytes = 64 * 1024;
/** Amount that only a peer that reads can have taken: systems buffer less. */
const provenBytes = 12 * 1024 * 1024;
/** Size of one TLS record, for connections whose network, or all networks together, hold much already. */
const leastPieceBytes = 16 * 1024;
const encrypted = new PendingBytes({ all: 48 * 1024 * 1024, ofNetwork: 8 * 1024 * 1024, small: leastPieceBytes });
/** Most that one turn of the event loop encrypts for peers that may not read: a few milliseconds in which nobody else is served. */
const turnBytes = 2 * 1024 * 1024;
/** Pause before the next such turn, as a share of the time that the last one took. */
const restShare = 0.5;
const nothing = Buffer.alloc(0);

/** Bytes on their way to one peer: in its socket, and in line behind it. */
export class SendQueue {
  readonly #socket: Socket;
  readonly #secure: SecureLine | undefined;
  /** Writes since the socket was last seen empty. */
  #writes = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#secure = 'encrypted' in socket ? new SecureLine(socket) : undefined;
  }

  /** Bytes that the peer has not taken, as far as this process knows. */
  get waiting(): number {
    return this.#socket.writableLength + (this.#secure?.bytes ?? 0);
  }

  /** Waiting bytes with what each write costs beside them. */
  get cost(): number {
    const { waiting } = this;
    if (waiting === 0) this.#writes = 0;
    return waiting + this.#writes * writeCost;
  }

  write(bytes: Buffer): void {
    this.#writes += 1;
    if (this.#secure) this.#secure.write(bytes);
    else this.#socket.write(bytes);
  }

  /** Writes several buffers with one call to the system. */
  writeAll(buffers: readonly Buffer[]): void {
    if (this.#secure) {
      this.#writes += buffers.length;
      this.#secure.writeAll(buffers);
      return;
    }
    this.#socket.cork();
    for (const bytes of buffers) this.write(bytes);
    this.#socket.uncork();
  }
}

/** Shares out what is encrypted in one turn of the event loop; lines that get nothing of it wait for the next. */
class Turns {
  #ready: SecureLine[] = [];
  #sent = 0;
  #isScheduled = false;

  /** Takes a part of the turn. False when the turn is used up. */
  take(bytes: number): boolean {
    if (this.#sent >= turnBytes) return false;
    this.#sent += bytes;
    this.#schedule(0);
    return true;
  }

  /** Puts a line at the end of those that wait for a turn. */
  add(line: SecureLine): void {
    this.#ready.push(line);
    this.#schedule(0);
  }

  #schedule(waitMs: number): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    if (waitMs >= 1) setTimeout(this.#run, waitMs);
    else setImmediate(this.#run);
  }

  readonly #run = (): void => {
    const beganMs = performance.now();
    const lines = this.#ready;
    this.#ready = [];
    this.#sent = 0;
    let served = 0;
    for (; served < lines.length && this.#sent < turnBytes; served += 1) this.#sent += lines[served]?.sendPiece() ?? 0;
    if (served < lines.length) this.#ready = [...lines.slice(served), ...this.#ready];
    this.#isScheduled = false;
    if (this.#sent > 0 || this.#ready.length > 0) this.#schedule((performance.now() - beganMs) * restShare);
  };
}

const turns = new Turns();

/** Gives a connection by TLS a piece at a time, the next one when the system has taken the last. */
export class SecureLine {
  readonly #socket: Socket;
  readonly #account: PendingAccount;
  readonly #onEmpty: (() => void) | undefined;
  #line: Buffer[] = [];
  #bytes = 0;
  /** Bytes given to the socket so far. */
  #given = 0;
  #isSending = false;

  /** `onEmpty`: called each time the last piece in line has left. */
  constructor(socket: Socket, onEmpty?: () => void, ledger = encrypted) {
    this.#socket = socket;
    this.#onEmpty = onEmpty;
    this.#account = ledger.account(socket.remoteAddress ?? '');
  }

  /** Bytes in line, not yet given to the socket. */
  get bytes(): number {
    return this.#bytes;
  }

  write(bytes: Buffer): void {
    // The usual case has no callback: each would cost a turn of Node's queue.
    if (this.#mayWrite(bytes.length)) {
      this.#given += bytes.length;
      this.#socket.write(bytes);
    } else this.writeAll([bytes]);
  }

  #mayWrite(bytes: number): boolean {
    if (this.#isSending || this.#socket.writableLength > 0) return false;
    return this.#given >= provenBytes ? bytes <= pieceBytes : bytes <= smallBytes && turns.take(bytes);
  }

  writeAll(buffers: readonly Buffer[]): void {
    for (const bytes of buffers) {
      if (bytes.length > 0) this.#line.push(bytes);
      this.#bytes += bytes.length;
    }
    if (this.#isSending || this.#bytes === 0) return;
    this.#isSending = true;
    if (this.#socket.writableLength > 0) this.#socket.write(nothing, this.#onTaken);
    else if (turns.take(Math.min(pieceBytes, this.#bytes))) this.sendPiece();
    else turns.add(this);
  }

  readonly #onTaken = (): void => {
    this.#account.set(0);
    if (this.#bytes > 0) {
      turns.add(this);
    } else {
      this.#isSending = false;
      this.#onEmpty?.();
    }
  };

  /** Gives the socket the next piece; returns its size. */
  sendPiece(): number {
    if (this.#socket.destroyed) {
      this.#line = [];
      this.#bytes = 0;
      return 0;
    }
    const wanted = Math.min(pieceBytes, this.#bytes);
    const hasRoom = this.#account.set(wanted);
    const bytes = hasRoom ? wanted : Math.min(wanted, leastPieceBytes);
    this.#account.set(bytes);
    const pieces = this.#takePieces(bytes);
    this.#given += bytes;
    this.#socket.cork();
    for (const [index, piece] of pieces.entries()) {
      if (index + 1 < pieces.length) this.#socket.write(piece);
      else this.#socket.write(piece, this.#onTaken);
    }
    this.#socket.uncork();
    return bytes;
  }

  #takePieces(mostBytes: number): Buffer[] {
    const pieces: Buffer[] = [];
    let [left, whole] = [mostBytes, 0];
    for (const bytes of this.#line) {
      if (left === 0) break;
      const piece = bytes.length > left ? bytes.subarray(0, left) : bytes;
      pieces.push(piece);
      left -= piece.length;
      if (piece === bytes) whole += 1;
      else this.#line[whole] = bytes.subarray(piece.length);
    }
    this.#line.splice(0, whole);
    this.#bytes -= mostBytes - left;
    return pieces;
  }
}
