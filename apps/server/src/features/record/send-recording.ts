import { open } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { WeirError } from '../../core/errors.ts';
import { readRange } from './byte-range.ts';

interface SentFile {
  readonly path: string;
  readonly type: string;
  /** Makes browsers save it under this name. */
  readonly downloadName?: string | undefined;
}

/** Sends a file that never changes once it has its name: whole, in part, or not at all when the client has it. */
export async function sendRecording(
  request: FastifyRequest,
  reply: FastifyReply,
  { path, type, downloadName }: SentFile,
): Promise<FastifyReply> {
  const handle = await open(path).catch((cause: unknown) => {
    throw new WeirError('not_found', 'this file of the recording is not there', { cause });
  });
  let isHandedOver = false;
  try {
    const { size, mtimeMs } = await handle.stat();
    const etag = `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`;
    reply.headers({
      etag,
      'accept-ranges': 'bytes',
      'cache-control': 'private, max-age=3600',
      'content-type': type,
      'x-content-type-options': 'nosniff',
      ...(downloadName === undefined ? {} : { 'content-disposition': `attachment; filename="${downloadName}"` }),
    });
    const { range: rangeHeader, 'if-none-match': known, 'if-range': ifRange } = request.headers;
    if (known === etag) return reply.code(304).send();
    const range = ifRange === undefined || ifRange === etag ? readRange(rangeHeader, size) : undefined;
    if (range === 'unsatisfiable') {
      return reply.code(416).header('content-range', `bytes */${size}`).send();
    }
    const { start, end } = range ?? { start: 0, end: size - 1 };
    if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`);
    reply.header('content-length', end - start + 1);
    if (request.method === 'HEAD' || size === 0) return reply.send(null);
    isHandedOver = true;
    return reply.send(handle.createReadStream({ start, end }));
  } finally {
    // A stream closes the file at its own end.
    if (!isHandedOver) await handle.close();
  }
}
