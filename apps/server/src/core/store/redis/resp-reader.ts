/** Reply of the database (RESP 2): strings, numbers, null, lists, and errors as values. */
export type Reply = string | number | null | ReplyError | readonly Reply[];

/** The database refused. The first word of its message says why: `NOAUTH`, `LOADING`, `READONLY`. */
export class ReplyError extends Error {
  override readonly name = 'ReplyError';
}

/** The largest text and the longest list that are taken, and how deep lists may lie in each other. */
const mostBytes = 64 * 2 ** 20;
const mostItems = 2 ** 21;
const deepest = 4;
const longestLine = 64 * 1024;

interface OpenList {
  readonly items: Reply[];
  readonly length: number;
}

/** A text that has begun: its bytes, the line end after them too. */
interface OpenText {
  readonly bytes: Buffer;
  filled: number;
}

/** Bytes in, answers out, however they are cut. Throws at the first byte that is none of the protocol's. */
export class RespReader {
  #rest = Buffer.alloc(0);
  #text: OpenText | undefined;
  readonly #lists: OpenList[] = [];

  push(chunk: Buffer): Reply[] {
    const whole: Reply[] = [];
    let at = 0;
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    while (at < bytes.length) {
      if (this.#text !== undefined) {
        at += this.#fill(this.#text, bytes, at);
        if (this.#text.filled === this.#text.bytes.length) this.#add(this.#endText(this.#text), whole);
        continue;
      }
      const end = bytes.indexOf('\r\n', at);
      if (end === -1) break;
      this.#line(bytes.toString('utf8', at, end), whole);
      at = end + 2;
    }
    this.#rest = Buffer.from(bytes.subarray(at));
    if (this.#rest.length > longestLine) throw new Error('database response: a line is too long');
    return whole;
  }

  #line(line: string, whole: Reply[]): void {
    const value = line.slice(1);
    const add = (reply: Reply) => this.#add(reply, whole);
    switch (line[0]) {
      case '+':
        add(value);
        break;
      case '-':
        add(new ReplyError(value));
        break;
      case ':':
        add(numberOf(value, Number.MAX_SAFE_INTEGER));
        break;
      case '$': {
        const length = numberOf(value, mostBytes);
        if (length < 0) add(null);
        else this.#text = { bytes: Buffer.allocUnsafe(length + 2), filled: 0 };
        break;
      }
      case '*': {
        const length = numberOf(value, mostItems);
        if (length < 1) add(length < 0 ? null : []);
        else if (this.#lists.length < deepest) this.#lists.push({ items: [], length });
        else throw new Error('database response: lists are nested too deeply');
        break;
      }
      default:
        throw new Error('database response: not the Redis protocol');
    }
  }

  #fill(text: OpenText, bytes: Buffer, at: number): number {
    const copied = bytes.copy(text.bytes, text.filled, at);
    text.filled += copied;
    return copied;
  }

  #endText({ bytes }: OpenText): string {
    this.#text = undefined;
    if (bytes.readUInt16BE(bytes.length - 2) !== 0x0d0a)
      throw new Error('database response: a string is not terminated');
    return bytes.toString('utf8', 0, bytes.length - 2);
  }

  /** To the innermost list that is open; one that is full then is an answer itself. */
  #add(reply: Reply, whole: Reply[]): void {
    let value = reply;
    for (let list = this.#lists.at(-1); list !== undefined; list = this.#lists.at(-1)) {
      list.items.push(value);
      if (list.items.length < list.length) return;
      this.#lists.pop();
      value = list.items;
    }
    whole.push(value);
  }
}

function numberOf(text: string, most: number): number {
  const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= most)) throw new Error('database response: invalid number');
  return value;
}
