import { badRequest, bodyStalled, type Failure } from '../../../http/failures.ts';
import type { HttpRequest } from '../../../http/messages.ts';

/** An answer other than the one asked for, thrown to where answers are written. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

const tooLarge: Failure = { status: 413, code: 1004, message: 'the body of this request is too large' };

/** A small body as text: no larger than told, and whole within the time. */
export function readBody(req: HttpRequest, maxBytes: number, withinMs: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const fail = (failure: Failure) => reject(new RequestFailed(failure));
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) {
    fail(tooLarge);
    return promise;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  const deadline = setTimeout(() => fail(bodyStalled), withinMs);
  req.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) fail(tooLarge);
    else chunks.push(chunk);
  });
  req.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
  req.once('close', () => fail(badRequest('the request ended early')));
  return promise.finally(() => {
    clearTimeout(deadline);
    req.removeAllListeners('data').removeAllListeners('end');
  });
}
