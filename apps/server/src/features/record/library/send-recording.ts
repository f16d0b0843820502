import { open } from 'node:fs/promises';
import { contentRange, readRange } from '@weir/dialect';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { WeirError } from '../../../core/errors.ts';

interface SentFacts {
  readonly type: string;
  /** Makes browsers save it under this name. */
  readonly downloadName?: string | undefined;
}

type Sent = SentFacts & ({ readonly path: string } | { readonly bytes: Buffer });

/** Sends what never changes once it has its name: whole, in part, or not at all when the client has it. */
export async function sendRecording(request: FastifyRequest, reply: FastifyReply, sent: Sent): Promise<FastifyReply> {
  if ('bytes' in sent) {
    const { bytes } = sent;
    const range = answerRange(request, reply, sent, { size: bytes.length, version: 'made' });
    return reply.send(range ? bytes.subarray(range.start, range.end + 1) : null);
  }
  const handle = await open(sent.path).catch((cause: unknown) => {
    throw new WeirError('not_found', 'this recording file no longer exists', { cause });
  });
  let isHandedOver = false;
  try {
    const { size, mtimeMs } = await handle.stat();
    const range = answerRange(request, reply, sent, { size, version: Math.floor(mtimeMs).toString(36) });
    if (!range) return reply.send(null);
    isHandedOver = true;
    return reply.send(handle.createReadStream(range));
  } finally {
    // A stream closes the file at its own end.
    if (!isHandedOver) await handle.close();
  }
}

/** Writes status and headers. Returns what is to be sent, both ends included; undefined for nothing. */
function answerRange(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, downloadName }: SentFacts,
  { size, version }: { readonly size: number; readonly version: string },
): { start: number; end: number } | undefined {
  const etag = `"${size.toString(36)}-${version}"`;
  reply.headers({
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=3600',
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
