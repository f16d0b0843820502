import { type ByteRange, contentRange, readRange } from '@weir/streams';
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface SentFacts {
  readonly type: string;
  /** Value of Cache-Control. */
  readonly cache: string;
  /** Makes browsers save it under this name. */
  readonly downloadName?: string | undefined;
}

/** Writes status and headers of media that does not change under its version. Returns what is to be sent; undefined for nothing. */
export function answerRange(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, cache, downloadName }: SentFacts,
  { size, version }: { readonly size: number; readonly version: string },
): ByteRange | undefined {
  const etag = `"${size.toString(36)}-${version}"`;
  reply.headers({
    etag,
    'accept-ranges': 'bytes',
    'cache-control': cache,
    'content-type': type,
    'x-content-type-options': 'nosniff',
    ...(downloadName === undefined ? {} : { 'content-disposition': `attachment; filename="${downloadName}"` }),
  });
  const { range: rangeHeader, 'if-none-match': known, 'if-range': ifRange } = request.headers;
  if (known === etag) {
    reply.code(304);
    return undefined;
  }
  const range = ifRange === undefined || ifRange === etag ? readRange(rangeHeader, size) : undefined;
  if (range === 'unsatisfiable') {
    reply.code(416).header('content-range', contentRange(range, size));
    return undefined;
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  if (range) reply.code(206).header('content-range', contentRange(range, size));
  reply.header('content-length', end - start + 1);
  return request.method === 'HEAD' || size === 0 ? undefined : { start, end };
}
