import type { Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { notPublished } from '../../front-door/failures.ts';
import type { Reply } from '../../front-door/reply.ts';
import { type ByteRange, readRange } from './byte-range.ts';
import type { Piece } from './hot-pieces.ts';

/** One request and the means to answer it. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly reply: Reply;
}

const pieceCaching = 'public, max-age=600';
const playlistType = 'application/vnd.apple.mpegurl';
/** A client that takes nothing for this long loses the connection, and the memory it holds is free again. */
const stallMs = 30_000;

export function sendPlaylist({ req, res, reply }: Exchange, body: Buffer, caching: string): number {
  reply.head(res, 200, [
    ...['Content-Type', playlistType],
    ...['Content-Length', String(body.length)],
    ...['Cache-Control', caching],
  ]);
  return finish(req, res, body);
}

/** Bytes from memory, in one write. Returns how many. */
export function sendPiece({ req, res, reply }: Exchange, { bytes, contentType }: Piece): number {
  const range = readRange(req.headers.range, bytes.length);
  headOfPiece(reply, res, contentType, bytes.length, range);
  // Node ends a connection whose timeout nobody listens to, and sets its own again for the next request.
  req.socket.setTimeout(stallMs);
  if (range === 'unsatisfiable') return finish(req, res, Buffer.alloc(0));
  return finish(req, res, range ? bytes.subarray(range.start, range.end + 1) : bytes);
}

/** A segment that is no longer in memory. `onSent` gets the number of bytes when they begin to go. */
export function sendFile(exchange: Exchange, file: string, contentType: string, onSent: (bytes: number) => void): void {
  const { res, reply } = exchange;
  open(file, 'r')
    .then(
      async (handle) => sendHandle(exchange, handle, await handle.stat(), contentType, onSent),
      () => reply.fail(res, notPublished),
    )
    .catch(() => res.destroy());
}

function sendHandle(
  { req, res, reply }: Exchange,
  handle: FileHandle,
  stats: Stats,
  contentType: string,
  onSent: (bytes: number) => void,
): void {
  const range = readRange(req.headers.range, stats.size);
  headOfPiece(reply, res, contentType, stats.size, range);
  const hasBody = req.method !== 'HEAD' && range !== 'unsatisfiable' && stats.size > 0;
  if (!hasBody || res.destroyed) {
    res.end();
    handle.close().catch(() => undefined);
    return;
  }
  req.socket.setTimeout(stallMs);
  const { start, end } = range ?? { start: 0, end: stats.size - 1 };
  onSent(end - start + 1);
  const stream = handle.createReadStream({ start, end });
  // The head is out: all that can be done about a file that stops being readable is to end early, which the length shows.
  stream.on('error', () => res.destroy());
  res.once('close', () => stream.destroy());
  stream.pipe(res);
}

function headOfPiece(
  reply: Reply,
  res: ServerResponse,
  contentType: string,
  size: number,
  range: ByteRange | 'unsatisfiable' | undefined,
): void {
  const common = ['Content-Type', contentType, 'Accept-Ranges', 'bytes'];
  if (range === undefined)
    reply.head(res, 200, [...common, 'Content-Length', String(size), 'Cache-Control', pieceCaching]);
  else if (range === 'unsatisfiable')
    reply.head(res, 416, [
      ...common,
      'Content-Length',
      '0',
      'Content-Range',
      `bytes */${size}`,
      'Cache-Control',
      'no-store',
    ]);
  else
    reply.head(res, 206, [
      ...common,
      ...['Content-Length', String(range.end - range.start + 1)],
      ...['Content-Range', `bytes ${range.start}-${range.end}/${size}`],
      ...['Cache-Control', pieceCaching],
    ]);
}

function finish(req: IncomingMessage, res: ServerResponse, body: Buffer): number {
  if (req.method === 'HEAD') {
    res.end();
    return 0;
  }
  res.end(body);
  return body.length;
}
