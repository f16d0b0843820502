import type { HeaderList } from './failures.ts';

/** Up to this size a body is copied behind its head. */
const smallBytes = 16 * 1024;
/** Room for a head before a body that is too long to copy. */
export const leadBytes = 1024;

/** An answer from memory that many get: what goes over the wire is put together once a second, not once a viewer. */
export class Prepared {
  /** Of status 200, with the length of the body. */
  readonly headers: HeaderList;
  readonly body: Buffer;
  /** The body behind `leadBytes` of room. */
  readonly #roomy: Buffer | undefined;
  #wire: Buffer | undefined;
  #wireSecond = 0;

  constructor(body: Buffer, headers: HeaderList, roomy?: Buffer) {
    this.body = body;
    this.headers = [...headers, 'Content-Length', String(body.length)];
    this.#roomy = roomy;
  }

  /** Of a body whose memory has room before it, so that head and body are one piece. */
  static inRoomy(roomy: Buffer, headers: HeaderList): Prepared {
    return new Prepared(roomy.subarray(leadBytes), headers, roomy);
  }

  /** Whether `wire` carries the body as well. */
  get isWhole(): boolean {
    return this.#roomy !== undefined || this.body.length <= smallBytes;
  }

  /** The head as `write` makes it, followed by the body when `isWhole`. The date in it is why it does not last. */
  wire(second: number, write: (headers: HeaderList) => Buffer): Buffer {
    if (!this.#wire || this.#wireSecond !== second) {
      this.#wire = this.#compose(write(this.headers));
      this.#wireSecond = second;
    }
    return this.#wire;
  }

  #compose(head: Buffer): Buffer {
    if (this.#roomy) {
      // A new head differs from the old in its date alone, so an answer that is still on its way stays whole.
      const start = leadBytes - head.length;
      if (start < 0) throw new RangeError('the head of an answer is too long');
      this.#roomy.set(head, start);
      return this.#roomy.subarray(start);
    }
    return this.isWhole ? Buffer.concat([head, this.body]) : head;
  }
}
