import type { Socket } from 'node:net';
import { SharedBytes } from '../../delivery/shared-bytes.ts';
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
/** Bytes that only a reading peer can have taken: systems buffer less. */
const provenBytes = 12 * 1024 * 1024;
/** Size of one TLS record, used once a network or all networks together hold much. */
const leastPieceBytes = 16 * 1024;
const encrypted = new PendingBytes({ all: 48 * 1024 * 1024, ofNetwork: 8 * 1024 * 1024, small: leastPieceBytes });
/** Bytes encrypted in one turn for peers that may not read: a few milliseconds of the event loop. */
const turnBytes = 4 * 1024 * 1024;
/** Pause before the next such turn, as a share of the time that the last one took. */
const restShare = 0.5;
const nothing = Buffer.alloc(0);

/** Bytes for one peer: in its socket, and queued behind it. */
export class SendQueue {
  readonly #socket: Socket;
  readonly #secure: TlsPieceQueue | undefined;
  /** Writes since the socket was last seen empty. */
  #writes = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#secure = 'encrypted' in socket ? new TlsPieceQueue(socket) : undefined;
  }

  /** Bytes that the peer has not taken, as far as this process knows. */
  get waiting(): number {
    return this.#socket.writableLength + (this.#secure?.bytes ?? 0);
  }

  /** Waiting bytes, plus the overhead of each write. */
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

  /** Sends what many get, from a position on. */
  send(bytes: SharedBytes, from = 0): void {
    const sent = from + bytes.sendTo(this.#socket, from);
    if (sent < bytes.length) this.write(sent > 0 ? bytes.buffer.subarray(sent) : bytes.buffer);
  }

  /** Sends a head and what follows it, with as few calls to the system as there can be. */
  sendAll(head: Buffer, all: readonly SharedBytes[]): void {
    if (!all[0]?.isStored || this.#secure) {
      this.writeAll([head, ...all.map(({ buffer }) => buffer)]);
      return;
    }
    this.write(head);
    let sent = SharedBytes.sendRun(all, this.#socket);
    const left: Buffer[] = [];
    for (const bytes of all) {
      if (sent < bytes.length) left.push(sent > 0 ? bytes.buffer.subarray(sent) : bytes.buffer);
      sent = Math.max(0, sent - bytes.length);
    }
    if (left.length > 0) this.writeAll(left);
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

/** Limits the bytes encrypted in one turn of the event loop; queues beyond it wait for the next turn. */
class EncryptionBudget {
  #ready: TlsPieceQueue[] = [];
  #sent = 0;
  #isScheduled = false;

  /** Reserves bytes of this turn. False when it is used up. */
  reserve(bytes: number): boolean {
    if (this.#sent >= turnBytes) return false;
    this.#sent += bytes;
    this.#schedule(0);
    return true;
  }

  /** Appends a queue to those that wait for a turn. */
  add(line: TlsPieceQueue): void {
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

const budget = new EncryptionBudget();

/** Writes to a TLS connection in pieces, each after the system has taken the last. */
export class TlsPieceQueue {
  readonly #socket: Socket;
  readonly #account: PendingAccount;
  readonly #onEmpty: (() => void) | undefined;
  #line: Buffer[] = [];
  #bytes = 0;
  /** Bytes given to the socket so far, also before this queue: each answer of a connection has its own. */
  #given: number;
  #isSending = false;

  /** `onEmpty`: called each time the last queued piece has left. */
  constructor(socket: Socket, onEmpty?: () => void, ledger = encrypted) {
    this.#socket = socket;
    this.#given = socket.bytesWritten;
    this.#onEmpty = onEmpty;
    this.#account = ledger.account(socket.remoteAddress ?? '');
  }

  /** Queued bytes, not yet given to the socket. */
  get bytes(): number {
    return this.#bytes;
  }

  write(bytes: Buffer): void {
    // The usual case passes no callback, because each costs a tick of Node's queue.
    if (this.#mayWrite(bytes.length)) {
      this.#given += bytes.length;
      this.#socket.write(bytes);
    } else this.writeAll([bytes]);
  }

  #mayWrite(bytes: number): boolean {
    if (this.#isSending || this.#socket.writableLength > 0) return false;
    return this.#isProven ? bytes <= pieceBytes : bytes <= smallBytes && budget.reserve(bytes);
  }

  /** True for a peer that has read. Its own pace limits what is encrypted for it. */
  get #isProven(): boolean {
    return this.#given >= provenBytes;
  }

  writeAll(buffers: readonly Buffer[]): void {
    for (const bytes of buffers) {
      if (bytes.length > 0) this.#line.push(bytes);
      this.#bytes += bytes.length;
    }
    if (this.#isSending || this.#bytes === 0) return;
    this.#isSending = true;
    if (this.#socket.writableLength > 0) this.#socket.write(nothing, this.#onTaken);
    else if (this.#isProven || budget.reserve(Math.min(pieceBytes, this.#bytes))) this.sendPiece();
    else budget.add(this);
  }

  readonly #onTaken = (): void => {
    this.#account.set(0);
    if (this.#bytes > 0) {
      if (this.#isProven) this.sendPiece();
      else budget.add(this);
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
    const pieces = this.#dequeue(bytes);
    this.#given += bytes;
    this.#socket.cork();
    for (const [index, piece] of pieces.entries()) {
      if (index + 1 < pieces.length) this.#socket.write(piece);
      else this.#socket.write(piece, this.#onTaken);
    }
    this.#socket.uncork();
    return bytes;
  }

  #dequeue(mostBytes: number): Buffer[] {
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
