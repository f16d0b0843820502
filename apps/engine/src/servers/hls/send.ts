import type { Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type ByteRange, contentRange, readRange } from '@weir/dialect';
import type { Exchange } from '../../http/exchange.ts';
import { busy, notPublished } from '../../http/failures.ts';
import type { Prepared } from '../../http/prepared.ts';
import { pieceCaching, pieceHeaders } from '../../packagers/hls/prepared-pieces.ts';

const nothing = Buffer.alloc(0);

/** Returns how many bytes go out. */
export function sendPiece(exchange: Exchange, piece: Prepared): number {
  const wanted = exchange.header('range');
  const range = wanted === undefined ? undefined : readRange(wanted, piece.body.length);
  if (range === undefined) return exchange.answerPrepared(piece);
  const headers = [...piece.headers.slice(0, 4), ...rangeHeaders(range, piece.body.length)];
  if (range === 'unsatisfiable') return exchange.answer(416, headers, nothing);
  return exchange.answer(206, headers, piece.body.subarray(range.start, range.end + 1));
}

/** A segment that is no longer in memory. `onSent` gets the number of bytes when they begin to go. */
export function sendFile(exchange: Exchange, file: string, contentType: string, onSent: (bytes: number) => void): void {
  open(file, 'r')
    .then(
      async (handle) => sendHandle(exchange, handle, await handle.stat(), contentType, onSent),
      // Of a file that is there and cannot be opened, for want of descriptors, a player should ask again.
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
  const range = readRange(exchange.header('range'), size);
  const status = range === undefined ? 200 : range === 'unsatisfiable' ? 416 : 206;
  const headers = [...pieceHeaders(contentType), ...rangeHeaders(range, size)];
  if (exchange.method === 'HEAD' || range === 'unsatisfiable' || size === 0 || exchange.isOver) {
    if (!exchange.isOver) exchange.answer(status, headers, nothing);
    handle.close().catch(() => undefined);
    return;
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  onSent(end - start + 1);
  exchange.answerFrom(status, headers, handle.createReadStream({ start, end }));
}

function rangeHeaders(range: ByteRange | 'unsatisfiable' | undefined, size: number): string[] {
  if (range === undefined) return ['Content-Length', String(size), ...pieceCaching];
  if (range === 'unsatisfiable')
    return ['Content-Length', '0', 'Content-Range', contentRange(range, size), 'Cache-Control', 'no-store'];
  const length = String(range.end - range.start + 1);
  return ['Content-Length', length, 'Content-Range', contentRange(range, size), ...pieceCaching];
}
