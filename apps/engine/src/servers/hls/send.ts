import type { Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type ByteRange, contentRange, readRange } from '@weir/streams';
import type { Exchange } from '../../http/exchange.ts';
import { busy, notPublished } from '../../http/failures.ts';
import type { Prepared } from '../../http/prepared.ts';
import { hasTag, tagOfPiece } from '../../http/validators.ts';
import { pieceCaching, pieceHeaders } from '../../packagers/hls/prepared-pieces.ts';

const nothing = Buffer.alloc(0);

/** Returns how many bytes go out. */
export function sendPiece(exchange: Exchange, piece: Prepared): number {
  if (exchange.header('range') === undefined) return exchange.answerPrepared(piece);
  const { tag, unchanged, length } = piece;
  if (hasTag(exchange.header('if-none-match'), tag)) return exchange.answer(304, unchanged, nothing);
  const range = rangeOf(exchange, length, tag);
  if (range === undefined) return exchange.answerPrepared(piece);
  const headers = [...piece.headers.slice(0, -2), ...rangeHeaders(range, length)];
  if (range === 'unsatisfiable')
    return exchange.answer(416, ['Cache-Control', 'no-store', ...rangeHeaders(range, length)], nothing);
  return exchange.answer(206, headers, piece.body.subarray(range.start, range.end + 1));
}

/** A client that holds a part of another version gets the whole (RFC 9110, 13.1.5). */
function rangeOf(exchange: Exchange, size: number, tag: string | undefined): ByteRange | 'unsatisfiable' | undefined {
  const condition = exchange.header('if-range');
  return condition === undefined || condition === tag ? readRange(exchange.header('range'), size) : undefined;
}

/** A segment that is no longer in memory. `onSent` gets the number of bytes when they begin to go. */
export function sendFile(exchange: Exchange, file: string, contentType: string, onSent: (bytes: number) => void): void {
  open(file, 'r')
    .then(
      async (handle) => sendHandle(exchange, handle, await handle.stat(), contentType, onSent),
      // An existing file may fail to open for lack of descriptors; the player should retry.
      (error: NodeJS.ErrnoException) => exchange.fail(error.code === 'ENOENT' ? notPublished : busy),
    )
    .catch(() => exchange.destroy());
}

function sendHandle(
  exchange: Exchange,
  handle: FileHandle,
  { size }: Stats,
  contentType: string,
  onSent: (bytes: number) => void,
): void {
  const tag = tagOfPiece(size);
  const known = [...pieceCaching, 'ETag', tag];
  const isKnown = hasTag(exchange.header('if-none-match'), tag);
  const range = rangeOf(exchange, size, tag);
  const whole = [...pieceHeaders(contentType), ...known, ...rangeHeaders(range, size)];
  const answerEmpty = (status: number, headers: string[]) => {
    if (!exchange.isOver) exchange.answer(status, headers, nothing);
    handle.close().catch(() => undefined);
  };
  const status = range === undefined ? 200 : 206;
  if (isKnown) answerEmpty(304, known);
  else if (range === 'unsatisfiable') answerEmpty(416, ['Cache-Control', 'no-store', ...rangeHeaders(range, size)]);
  else if (exchange.method === 'HEAD' || size === 0 || exchange.isOver) answerEmpty(status, whole);
  else {
    const { start, end } = range ?? { start: 0, end: size - 1 };
    onSent(end - start + 1);
    exchange.answerFrom(status, whole, handle.createReadStream({ start, end }));
  }
}

function rangeHeaders(range: ByteRange | 'unsatisfiable' | undefined, size: number): string[] {
  if (range === undefined) return ['Content-Length', String(size)];
  if (range === 'unsatisfiable') return ['Content-Length', '0', 'Content-Range', contentRange(range, size)];
  return ['Content-Length', String(range.end - range.start + 1), 'Content-Range', contentRange(range, size)];
}
