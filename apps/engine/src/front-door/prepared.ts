import type { HeaderList } from './failures.ts';

/** Up to this size head and body travel in one buffer. */
const smallBytes = 16 * 1024;

/** An answer from memory that many get: what goes over the wire is put together once a second, not once a viewer. */
export class Prepared {
  /** Of status 200, with the length of the body. */
  readonly headers: HeaderList;
  readonly body: Buffer;
  #head: Buffer | undefined;
  #headSecond = 0;

  constructor(body: Buffer, headers: HeaderList) {
    this.body = body;
    this.headers = [...headers, 'Content-Length', String(body.length)];
  }

  /** Whether `wire` carries the body as well. */
  get isSmall(): boolean {
    return this.body.length <= smallBytes;
  }

  /** The head as `write` makes it, followed by a small body. The date in it is why it does not last. */
  wire(second: number, write: (headers: HeaderList) => Buffer): Buffer {
    if (!this.#head || this.#headSecond !== second) {
      const head = write(this.headers);
      this.#head = this.isSmall ? Buffer.concat([head, this.body]) : head;
      this.#headSecond = second;
    }
    return this.#head;
  }
}
