/** Parts of a multipart body, in order. The bytes are views of the input. */
type MultipartEvent =
  | { readonly kind: 'part'; readonly filename: string | undefined }
  | { readonly kind: 'data'; readonly bytes: Buffer }
  | { readonly kind: 'end' };

const largestHead = 16 * 1024;
const lineEnd = Buffer.from('\r\n');

export class MultipartError extends Error {
  override readonly name = 'MultipartError';
}

/** The boundary of a multipart body, when its content type has one (RFC 2046, 5.1.1). */
export function parseBoundary(contentType: string | undefined): string | undefined {
  const found = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(
    contentType ?? '',
  );
  return found?.[1] ?? found?.[2];
}

/**
 * Reads multipart/form-data as it comes (RFC 7578), holding no more of it than a boundary or the head of a part. Throws
 * `MultipartError` for what is none.
 */
export class MultipartReader {
  readonly #delimiter: Buffer;
  /** A body may begin with its boundary; the line end before it is thought. */
  #rest: Buffer = lineEnd;
  #state: 'preamble' | 'delimiter' | 'head' | 'data' | 'end' = 'preamble';

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  get hasEnded(): boolean {
    return this.#state === 'end';
  }

  push(chunk: Buffer): MultipartEvent[] {
    const events: MultipartEvent[] = [];
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    while (this.#step(events));
    return events;
  }

  /** Parses one step; false when more bytes are needed. */
  #step(events: MultipartEvent[]): boolean {
    switch (this.#state) {
      case 'preamble':
      case 'data':
        return this.#readData(events);
      case 'delimiter':
        return this.#readDelimiter(events);
      case 'head':
        return this.#readHead(events);
      case 'end':
        this.#rest = Buffer.alloc(0);
        return false;
    }
  }

  #readData(events: MultipartEvent[]): boolean {
    const at = this.#rest.indexOf(this.#delimiter);
    const end = at < 0 ? this.#rest.length - this.#openLength() : at;
    if (this.#state === 'data' && end > 0) events.push({ kind: 'data', bytes: this.#rest.subarray(0, end) });
    this.#rest = this.#rest.subarray(at < 0 ? end : at + this.#delimiter.length);
    if (at >= 0) this.#state = 'delimiter';
    return at >= 0;
  }

  /** Number of last bytes that may start a boundary: hardly ever any, and only these are copied. */
  #openLength(): number {
    const { length } = this.#rest;
    let from = this.#rest.indexOf(0x0d, Math.max(0, length - this.#delimiter.length + 1));
    while (from >= 0) {
      const open = length - from;
      if (this.#delimiter.subarray(0, open).equals(this.#rest.subarray(from))) return open;
      from = this.#rest.indexOf(0x0d, from + 1);
    }
    return 0;
  }

  #readDelimiter(events: MultipartEvent[]): boolean {
    if (this.#rest.length < 2) return false;
    if (this.#rest[0] === 0x2d && this.#rest[1] === 0x2d) {
      this.#state = 'end';
      events.push({ kind: 'end' });
      return true;
    }
    // Blanks between a boundary and the end of its line mean nothing.
    const at = this.#rest.indexOf(lineEnd);
    if (at < 0 && this.#rest.length < 100) return false;
    if (at < 0 || at > 100 || !/^[ \t]*$/.test(this.#rest.toString('latin1', 0, at))) {
      throw new MultipartError('a boundary is not followed by a line end');
    }
    // The line end stays: the head may be empty.
    this.#rest = this.#rest.subarray(at);
    this.#state = 'head';
    return true;
  }

  #readHead(events: MultipartEvent[]): boolean {
    const at = this.#rest.indexOf('\r\n\r\n');
    if (at > largestHead || (at < 0 && this.#rest.length > largestHead))
      throw new MultipartError('the head of a part is too long');
    if (at < 0) return false;
    events.push({ kind: 'part', filename: filenameOf(this.#rest.toString('utf8', 0, at)) });
    this.#rest = this.#rest.subarray(at + 4);
    this.#state = 'data';
    return true;
  }
}

/** Browsers write quotes and line ends as %22, %0D and %0A (the HTML standard), others put a backslash before a quote. */
function filenameOf(head: string): string | undefined {
  const line = head.split('\r\n').find((text) => /^content-disposition:/i.test(text)) ?? '';
  const [, quoted, bare] = /;\s*filename=(?:"((?:\\.|[^"\\])*)"|([^\s;]+))/i.exec(line) ?? [];
  return (quoted?.replace(/\\(.)/g, '$1') ?? bare)?.replace(/%(22|0D|0A)/gi, (text) => decodeURIComponent(text));
}
