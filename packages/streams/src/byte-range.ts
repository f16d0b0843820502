/** Inclusive at both ends. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Parses a Range header for `size` bytes; undefined for the whole body, also for forms that may be ignored. */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  if (header === undefined) return undefined;
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim());
  const [, first = '', last = ''] = match ?? [];
  // Several ranges may be answered with the whole (RFC 9110, 14.2).
  if (!match || (first === '' && last === '')) return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end };
}

/** The value of Content-Range for a part of `size` bytes, or for an answer that there is no such part. */
export function contentRange(range: ByteRange | 'unsatisfiable', size: number): string {
  return range === 'unsatisfiable' ? `bytes */${size}` : `bytes ${range.start}-${range.end}/${size}`;
}
