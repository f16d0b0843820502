import { BrokenLink, headBytes, lengthBytes, mostMessageBytes } from './link-message.ts';

/** Called once per message. The body is a view and valid only during the call. */
type OnMessage = (kind: number, number: number, body: Buffer) => void;

/** Splits the bytes of a link into messages. */
export class LinkReader {
  readonly #onMessage: OnMessage;
  /** Head of an incomplete message, and its body once the length is known. */
  readonly #head = Buffer.alloc(headBytes);
  #headLength = 0;
  #body: Buffer | undefined;
  #bodyLength = 0;

  constructor(onMessage: OnMessage) {
    this.#onMessage = onMessage;
  }

  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) at = this.#read(chunk, at);
  }

  /** Returns the position after the consumed bytes. */
  #read(chunk: Buffer, at: number): number {
    if (this.#body) return this.#fill(this.#body, chunk, at);
    if (this.#headLength === 0 && chunk.length - at >= headBytes) return this.#begin(chunk, at, chunk, at + headBytes);
    const taken = chunk.copy(this.#head, this.#headLength, at, at + headBytes - this.#headLength);
    this.#headLength += taken;
    if (this.#headLength < headBytes) return at + taken;
    this.#headLength = 0;
    return this.#begin(this.#head, 0, chunk, at + taken);
  }

  #begin(head: Buffer, headAt: number, chunk: Buffer, at: number): number {
    const bytes = head.readUInt32BE(headAt) - (headBytes - lengthBytes);
    if (bytes < 0 || bytes > mostMessageBytes) throw new BrokenLink(`a message of ${bytes} bytes`);
    if (chunk.length - at >= bytes) {
      this.#emit(head, headAt, chunk.subarray(at, at + bytes));
      return at + bytes;
    }
    if (head !== this.#head) head.copy(this.#head, 0, headAt, headAt + headBytes);
    this.#body = Buffer.allocUnsafeSlow(bytes);
    this.#bodyLength = 0;
    return this.#fill(this.#body, chunk, at);
  }

  #fill(body: Buffer, chunk: Buffer, at: number): number {
    const taken = chunk.copy(body, this.#bodyLength, at);
    this.#bodyLength += taken;
    if (this.#bodyLength === body.length) {
      this.#body = undefined;
      this.#emit(this.#head, 0, body);
    }
    return at + taken;
  }

  #emit(head: Buffer, at: number, body: Buffer): void {
    this.#onMessage(head[at + lengthBytes] ?? 0, head.readUInt32BE(at + lengthBytes + 1), body);
  }
}
