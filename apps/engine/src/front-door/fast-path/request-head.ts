/** The head of a request that leaves nothing to interpretation. */
export interface RequestHead {
  readonly method: 'GET' | 'HEAD';
  readonly url: string;
  readonly fields: HeadFields;
}

const maxBytes = 8 * 1024;
const lineEnd = Buffer.from('\r\n');
const plainLine = /^(GET|HEAD) (\/[!-~]*) HTTP\/1\.1$/;
/** At least one header, and nothing behind the empty line: RFC 9112 with no licence taken. */
const plainFields = /^(?:\r\n[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}:[\t -~\x80-\xff]*)+\r\n\r\n$/;
/** What announces a body, asks for another protocol, or concerns the connection. */
const notPlain =
  /\r\n(?:content-length|transfer-encoding|upgrade|expect|trailer|te|connection|proxy-connection|keep-alive):/i;
const keepAlive = /\r\nconnection:[ \t]*keep-alive[ \t]*\r\n/i;
const anyHost = /\r\nhost:/gi;
const plainHost = /\r\nhost:[ \t]*(?:\[[0-9a-f:.]{1,64}\]|[a-z0-9._-]{1,253})(?::\d{1,5})?[ \t]*\r\n/i;

/** The header fields of a plain head. Players send the same ones with every request, so one object serves many. */
export class HeadFields {
  /** From the end of the request line on. */
  readonly #bytes: Buffer;

  /** Only `readFields` knows that the bytes are good. */
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** By lower-case name; of several of one name the first. */
  get(name: string): string | undefined {
    return this.all(name)[0];
  }

  all(name: string): string[] {
    return this.#bytes
      .toString('latin1')
      .split('\r\n')
      .flatMap((line) => {
        const colon = line.indexOf(':');
        return line.slice(0, colon).toLowerCase() === name ? [line.slice(colon + 1).trim()] : [];
      });
  }

  equals(bytes: Buffer, from: number): boolean {
    return (
      bytes.length - from === this.#bytes.length &&
      bytes.compare(this.#bytes, 0, this.#bytes.length, from, bytes.length) === 0
    );
  }
}

/**
 * Reads a head that is whole, simple and alone in `bytes`. Undefined for everything else, which is not necessarily wrong:
 * a complete parser must look at it. `known`: fields of an earlier request of this client.
 */
export function readPlainHead(bytes: Buffer, known?: HeadFields): RequestHead | undefined {
  if (bytes.length > maxBytes) return undefined;
  const end = bytes.indexOf(lineEnd);
  const line = end < 0 ? null : plainLine.exec(bytes.toString('latin1', 0, end));
  if (!line) return undefined;
  const fields = known?.equals(bytes, end) ? known : readFields(bytes.subarray(end));
  return fields && { method: line[1] === 'HEAD' ? 'HEAD' : 'GET', url: line[2] ?? '/', fields };
}

function readFields(bytes: Buffer): HeadFields | undefined {
  const text = bytes.toString('latin1');
  if (!plainFields.test(text)) return undefined;
  // Taken out, so that a second line of that name is found.
  const rest = keepAlive.test(text) ? text.replace(keepAlive, '\r\n') : text;
  if (notPlain.test(rest) || !plainHost.test(text) || text.match(anyHost)?.length !== 1) return undefined;
  // A copy: the memory around it belongs to the read.
  return new HeadFields(Buffer.from(bytes));
}
