import { ownText } from '../../hub/own-memory.ts';

/** A request that leaves nothing to interpretation. */
export interface RequestHead {
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly url: string;
  readonly fields: HeadFields;
  /** Empty for all but POST. */
  readonly body: Buffer;
}

const maxHeadBytes = 8 * 1024;
/** Far below what receivers count to, who drop the rest without a word. */
const maxLines = 100;
const lineEnd = Buffer.from('\r\n');
const headEnd = Buffer.from('\r\n\r\n');
const nothing = Buffer.alloc(0);
const plainLine = /^(GET|HEAD|POST) (\/[!-~]*) HTTP\/1\.1$/;
/** At least one header, and nothing behind the empty line: RFC 9112 with no licence taken. */
const plainFields = /^(?:\r\n[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}:[\t -~\x80-\xff]*)+\r\n\r\n$/;
/** Headers that announce a body, ask for another protocol, or concern the connection. */
const notPlain =
  /\r\n(?:content-length|transfer-encoding|upgrade|expect|trailer|te|connection|proxy-connection|keep-alive):/i;
const keepAlive = /\r\nconnection:[ \t]*keep-alive[ \t]*(?=\r\n)/i;
const bodyLength = /\r\ncontent-length:[ \t]*(0|[1-9]\d{0,5})[ \t]*(?=\r\n)/i;
const anyHost = /\r\nhost:/gi;
const plainHost = /\r\nhost:[ \t]*(?:\[[0-9a-f:.]{1,64}\]|[a-z0-9._-]{1,253})(?::\d{1,5})?[ \t]*\r\n/i;

/** The header fields of a plain head. Players send the same ones with every request, so one object serves many. */
export class HeadFields {
  /** Announced body length; undefined without a body. */
  readonly bodyBytes: number | undefined;
  /** From the end of the request line on. */
  readonly #bytes: Buffer;
  /** Values of earlier lookups: every request asks for the same few names. */
  readonly #read = new Map<string, string | undefined>();

  /** Only `readFields` knows that the bytes are good. */
  constructor(bytes: Buffer, bodyBytes: number | undefined) {
    this.#bytes = bytes;
    this.bodyBytes = bodyBytes;
  }

  get size(): number {
    return this.#bytes.length;
  }

  /** Names and values in turn, as they came. */
  raw(): string[] {
    return this.#lines().flat();
  }

  /** By lower-case name; of several of one name the first. */
  get(name: string): string | undefined {
    const known = this.#read.get(name);
    if (known !== undefined || this.#read.has(name)) return known;
    const [first] = this.all(name);
    // A piece of a text would keep all of it.
    const value = first === undefined ? undefined : ownText(first);
    this.#read.set(name, value);
    return value;
  }

  all(name: string): string[] {
    return this.#lines().flatMap(([given, value]) => (given.toLowerCase() === name ? [value] : []));
  }

  /** True if the bytes continue with exactly these fields. */
  isAt(bytes: Buffer, from: number): boolean {
    const to = from + this.#bytes.length;
    return to <= bytes.length && bytes.compare(this.#bytes, 0, this.#bytes.length, from, to) === 0;
  }

  #lines(): [name: string, value: string][] {
    const lines = this.#bytes.toString('latin1').split('\r\n');
    return lines
      .filter((line) => line !== '')
      .map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon), line.slice(colon + 1).trim()];
      });
  }
}

/**
 * Reads a request that is whole, simple and alone in `bytes`. Undefined for everything else, which is not necessarily wrong:
 * a complete parser must look at it. `known`: fields of an earlier request of this client.
 */
export function readPlainHead(bytes: Buffer, known?: HeadFields): RequestHead | undefined {
  const end = bytes.indexOf(lineEnd);
  if (end < 0 || end > maxHeadBytes) return undefined;
  const line = plainLine.exec(bytes.toString('latin1', 0, end));
  if (!line) return undefined;
  const fields = known?.isAt(bytes, end) ? known : readFields(bytes, end);
  if (!fields) return undefined;
  const method = line[1] === 'POST' ? 'POST' : line[1] === 'HEAD' ? 'HEAD' : 'GET';
  // A body is announced where one is usual and nowhere else, and all of it is here, with nothing behind it.
  if ((method === 'POST') !== (fields.bodyBytes !== undefined)) return undefined;
  const bodyAt = end + fields.size;
  if (bytes.length - bodyAt !== (fields.bodyBytes ?? 0)) return undefined;
  return { method, url: line[2] ?? '/', fields, body: bytes.length > bodyAt ? bytes.subarray(bodyAt) : nothing };
}

function readFields(bytes: Buffer, from: number): HeadFields | undefined {
  const last = bytes.indexOf(headEnd, from);
  if (last < 0 || last > maxHeadBytes) return undefined;
  const text = bytes.toString('latin1', from, last + headEnd.length);
  if (!plainFields.test(text) || text.split('\r\n').length > maxLines) return undefined;
  const length = bodyLength.exec(text)?.[1];
  // Taken out, so that a second line of that name is found.
  const rest = text.replace(keepAlive, '').replace(bodyLength, '');
  if (notPlain.test(rest) || !plainHost.test(text) || text.match(anyHost)?.length !== 1) return undefined;
  // A copy: the memory around it belongs to the read.
  return new HeadFields(Buffer.from(text, 'latin1'), length === undefined ? undefined : Number(length));
}
