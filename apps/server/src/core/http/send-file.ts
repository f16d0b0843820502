import { open } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { WeirError } from '../errors.ts';
import { answerRange, type SentFacts } from './answer-range.ts';

type Sent = Omit<SentFacts, 'cache'> & ({ readonly path: string } | { readonly bytes: Buffer });

const cache = 'private, max-age=3600';

/** Sends an immutable file: complete, in part, or as 304 when the client has it. */
export async function sendFile(request: FastifyRequest, reply: FastifyReply, sent: Sent): Promise<FastifyReply> {
  if ('bytes' in sent) {
    const { bytes } = sent;
    const range = answerRange(request, reply, { ...sent, cache }, { size: bytes.length, version: 'made' });
    return reply.send(range ? bytes.subarray(range.start, range.end + 1) : null);
  }
  const handle = await open(sent.path).catch((cause: unknown) => {
    throw new WeirError('not_found', 'this file no longer exists', { cause });
  });
  let isHandedOver = false;
  try {
    const { size, mtimeMs } = await handle.stat();
    const range = answerRange(request, reply, { ...sent, cache }, { size, version: Math.floor(mtimeMs).toString(36) });
    if (!range) return reply.send(null);
    isHandedOver = true;
    return reply.send(handle.createReadStream(range));
  } finally {
    // A stream closes the file at its own end.
    if (!isHandedOver) await handle.close();
  }
}
