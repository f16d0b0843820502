import { createReadStream, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
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

/** Files as one body. `onSent` gets the number of bytes when they begin to go. */
export function sendFiles(
  exchange: Exchange,
  files: readonly string[],
  contentType: string,
  onSent: (bytes: number) => void,
): void {
  const [only] = files;
  if (files.length === 1 && only !== undefined) {
    sendFile(exchange, only, contentType, onSent);
    return;
  }
  Promise.all(files.map((file) => stat(file)))
    .then((facts) => {
      const parts = facts.map(({ size }, index) => ({ file: files[index] ?? '', size }));
      sendParts(exchange, parts, contentType, onSent);
    })
    .catch((error: NodeJS.ErrnoException) => exchange.fail(error.code === 'ENOENT' ? notPublished : busy));
}

function sendParts(
  exchange: Exchange,
  parts: readonly { readonly file: string; readonly size: number }[],
  contentType: string,
  onSent: (bytes: number) => void,
): void {
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  answerRange(exchange, { size, contentType, onSent }, ({ start, end }) => Readable.from(bytesOf(parts, start, end)));
}

async function* bytesOf(
  parts: readonly { readonly file: string; readonly size: number }[],
  start: number,
  end: number,
) {
  let from = 0;
  for (const { file, size } of parts) {
    const first = Math.max(0, start - from);
    const last = Math.min(size, end + 1 - from) - 1;
    from += size;
    if (first <= last) yield* createReadStream(file, { start: first, end: last });
  }
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
  const isStreaming = answerRange(exchange, { size, contentType, onSent }, (range) => handle.createReadStream(range));
  if (!isStreaming) handle.close().catch(() => undefined);
}

interface Body {
  readonly size: number;
  readonly contentType: string;
  readonly onSent: (bytes: number) => void;
}

/** False for an answer without a body. */
function answerRange(
  exchange: Exchange,
  { size, contentType, onSent }: Body,
  read: (range: ByteRange) => Readable,
): boolean {
  const tag = tagOfPiece(size);
  const known = [...pieceCaching, 'ETag', tag];
  const isKnown = hasTag(exchange.header('if-none-match'), tag);
  const range = rangeOf(exchange, size, tag);
  const whole = [...pieceHeaders(contentType), ...known, ...rangeHeaders(range, size)];
  const answerEmpty = (status: number, headers: string[]) => {
    if (!exchange.isOver) exchange.answer(status, headers, nothing);
    return false;
  };
  const status = range === undefined ? 200 : 206;
  if (isKnown) return answerEmpty(304, known);
  if (range === 'unsatisfiable') {
    return answerEmpty(416, ['Cache-Control', 'no-store', ...rangeHeaders(range, size)]);
  }
  if (exchange.method === 'HEAD' || size === 0 || exchange.isOver) return answerEmpty(status, whole);
  const { start, end } = range ?? { start: 0, end: size - 1 };
  onSent(end - start + 1);
  exchange.answerFrom(status, whole, read({ start, end }));
  return true;
}

function rangeHeaders(range: ByteRange | 'unsatisfiable' | undefined, size: number): string[] {
  if (range === undefined) return ['Content-Length', String(size)];
  if (range === 'unsatisfiable') return ['Content-Length', '0', 'Content-Range', contentRange(range, size)];
  return ['Content-Length', String(range.end - range.start + 1), 'Content-Range', contentRange(range, size)];
}
