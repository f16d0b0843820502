import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { CallerReader } from '../../http/caller.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Failure, HeaderList } from '../../http/failures.ts';
import type { Prepared } from '../../http/prepared.ts';
import type { Reply } from '../../http/reply.ts';
import { hasTag } from '../../http/validators.ts';
import { smallBytes, TlsPieceQueue } from '../../hub/fan-out/send-queue.ts';
import type { HeadFields, RequestHead } from './request-head.ts';

/** The connection of an exchange. */
export interface FastPathOwner {
  /** The answer is with the socket, or with something that will still write to it. */
  onAnswered(isComplete: boolean): void;
  /** An incomplete one has become complete. */
  onCompleted(): void;
  /** The socket has a new owner. */
  onTaken(): void;
  /** Has another process send a stored answer. False where this one is to do it. */
  sendElsewhere(head: Buffer, stored: Prepared, onSent: () => void): boolean;
  /** A stored answer took this process so long. */
  onSentHere(ms: number): void;
}

interface Tools {
  readonly reply: Reply;
  readonly callers: CallerReader;
}

/** A request read and answered on the bare socket. */
export class FastPathExchange implements Exchange {
  readonly socket: Socket;
  readonly #head: RequestHead;
  readonly #tools: Tools;
  readonly #owner: FastPathOwner;
  #isOver = false;
  #whenOver: (() => void)[] | undefined;

  constructor(head: RequestHead, socket: Socket, tools: Tools, owner: FastPathOwner) {
    this.#head = head;
    this.socket = socket;
    this.#tools = tools;
    this.#owner = owner;
  }

  get method(): string {
    return this.#head.method;
  }

  get url(): string {
    return this.#head.url;
  }

  get fields(): HeadFields {
    return this.#head.fields;
  }

  get body(): Buffer {
    return this.#head.body;
  }

  get address(): string {
    return this.#tools.callers.addressOf(this.socket, this.#head.fields.all('x-forwarded-for'));
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  header(name: string): string | undefined {
    return this.#head.fields.get(name);
  }

  answer(status: number, headers: HeaderList, body: Buffer): number {
    if (this.#isOver) return 0;
    const head = this.#tools.reply.wireHead(status, headers);
    return this.#send(head, this.#head.method === 'HEAD' ? undefined : body);
  }

  answerPrepared(prepared: Prepared): number {
    if (this.#isOver) return 0;
    const { fields, method } = this.#head;
    const { reply } = this.#tools;
    const form = prepared.formFor(fields.get('accept-encoding'));
    if (hasTag(fields.get('if-none-match'), form.tag))
      return this.#send(reply.wireHead(304, form.unchanged), undefined);
    if (method === 'HEAD') return this.#send(reply.wireHead(200, form.headers), undefined);
    const isInFile = !('encrypted' in this.socket) && form.moveToFile();
    const { bytes, isWhole } = form.wire(reply);
    if (isInFile && this.#sendElsewhere(bytes, form)) return form.length;
    const sent = isInFile ? this.#sendFromFile(bytes, form) : 0;
    // The rest, which a full socket did not take, waits here as every other answer does.
    if (sent < bytes.length) this.#send(bytes.subarray(sent), isWhole ? undefined : form.body);
    else if (sent < bytes.length + form.length) this.#send(form.body.subarray(sent - bytes.length), undefined);
    else this.#finish();
    return form.length;
  }

  #sendElsewhere(head: Buffer, form: Prepared): boolean {
    if (!this.#owner.sendElsewhere(head, form, () => this.#owner.onCompleted())) return false;
    this.#owner.onAnswered(false);
    this.end();
    return true;
  }

  #sendFromFile(head: Buffer, form: Prepared): number {
    const before = performance.now();
    const sent = form.sendAfter(head, this.socket);
    this.#owner.onSentHere(performance.now() - before);
    return sent;
  }

  answerFrom(status: number, headers: HeaderList, body: Readable): void {
    const { socket } = this;
    // After the head, a read error of the file can only end the answer early, which the length shows.
    body.on('error', () => socket.destroy());
    if (this.#isOver) {
      body.destroy();
      return;
    }
    const onClose = () => body.destroy();
    socket.once('close', onClose);
    this.#owner.onAnswered(false);
    socket.write(this.#tools.reply.wireHead(status, headers));
    body.once('end', () => {
      socket.off('close', onClose);
      this.#owner.onCompleted();
    });
    body.pipe(socket, { end: false });
    this.end();
  }

  /** The head of an answer and the first of its bytes; `complete` follows the last ones. */
  begin(status: number, headers: HeaderList, piece: Buffer): boolean {
    this.socket.once('close', this.#onClose);
    this.#owner.onAnswered(false);
    return this.socket.write(Buffer.concat([this.#tools.reply.wireHead(status, headers), piece]));
  }

  complete(): void {
    this.socket.off('close', this.#onClose);
    this.#owner.onCompleted();
    this.end();
  }

  fail(failure: Failure): void {
    const { headers, body } = this.#tools.reply.failure(failure);
    this.answer(failure.status, headers, body);
  }

  startStream(headers: HeaderList): Socket {
    this.#owner.onTaken();
    this.socket.on('error', () => undefined);
    this.socket.write(this.#tools.reply.wireHead(200, headers, 'close'));
    this.end();
    return this.socket;
  }

  onOver(then: () => void): void {
    if (this.#isOver) then();
    else this.#whenOver = [...(this.#whenOver ?? []), then];
  }

  readonly #onClose = (): void => this.end();

  /** Ends the exchange for any reason. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const then of this.#whenOver ?? []) then();
    this.#whenOver = undefined;
  }

  destroy(): void {
    this.socket.destroy();
  }

  #send(head: Buffer, body: Buffer | undefined): number {
    const { socket } = this;
    const bytes = head.length + (body?.length ?? 0);
    if (bytes > smallBytes && 'encrypted' in socket) {
      this.#sendInPieces(body ? [head, body] : [head]);
      return body?.length ?? 0;
    }
    // Without callbacks: each would cost a turn of Node's queue, and only a client that asks ahead needs one.
    if (body === undefined || body.length === 0) {
      socket.write(head);
    } else {
      // Head and body leave in one system call.
      socket.cork();
      socket.write(head);
      socket.write(body);
      socket.uncork();
    }
    this.#finish();
    return body?.length ?? 0;
  }

  #finish(): void {
    this.#owner.onAnswered(true);
    this.end();
  }

  /** Sends a large answer by TLS. Written at once, each client that does not read would hold an encrypted copy of it. */
  #sendInPieces(buffers: readonly Buffer[]): void {
    this.#owner.onAnswered(false);
    const before = performance.now();
    new TlsPieceQueue(this.socket, () => this.#owner.onCompleted()).writeAll(buffers);
    // The time for the first piece, which is most of a segment.
    this.#owner.onSentHere(performance.now() - before);
    this.end();
  }
}
