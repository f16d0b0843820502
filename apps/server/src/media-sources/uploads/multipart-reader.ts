import { on } from 'node:events';
import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { WeirError } from '../../core/errors.ts';

/** Limit of what is not the file: text before, between and after parts, and their headers. */
const mostFrameBytes = 64 * 1024;
const largestHeader = 16 * 1024;

interface Multipart {
  readonly body: Readable;
  readonly contentType: string | undefined;
  /** Throws if this is not the expected file. */
  readonly assertName: (filename: string | undefined) => void;
}

/**
 * Yields the content of all parts of multipart/form-data (RFC 7578), one after the other, as it comes. Every part counts
 * as a file. The body is destroyed when the reader stops.
 */
export async function* readMultipart({ body, contentType, assertName }: Multipart): AsyncGenerator<Buffer> {
  const form = await createForm(contentType);
  const files: FilePart[] = [];
  // Unhandled errors of unread parts would end the process.
  form
    .on('error', () => undefined)
    .on('file', (_name, file: FilePart) => files.push(file.on('error', () => undefined)));
  const parts = on(form, 'file', { close: ['finish'] });
  const countFileBytes = () => files.reduce((total, { bytesRead }) => total + bytesRead, 0);
  const limited = limitFrame(form, countFileBytes);
  const received = pipeline(body, limited);
  received.catch((error: Error) => {
    for (const file of files) file.destroy(error);
  });
  try {
    for await (const [, file, filename] of parts as AsyncIterable<[string, FilePart, string | undefined]>) {
      assertName(filename?.replace(/%(22|0D|0A)/gi, (text) => decodeURIComponent(text)));
      yield* file;
    }
    await received;
  } catch (error) {
    throw isCutOff(error) ? new WeirError('invalid_input', 'the request body is incomplete', { cause: error }) : error;
  } finally {
    // Ends the body as well, unless all of it was read.
    limited.destroy();
    form.destroy();
  }
}

type FilePart = Readable & AsyncIterable<Buffer> & { readonly bytesRead: number };

async function createForm(contentType = '') {
  const { Busboy } = await import('@fastify/busboy');
  try {
    // The same package also reads other forms, and an empty boundary.
    if (!/^multipart\/form-data\s*;.*\bboundary="?[^\s;"]/i.test(contentType))
      throw new Error('not multipart/form-data');
    return new Busboy({
      headers: { 'content-type': contentType },
      preservePath: true,
      isPartAFile: () => true,
      limits: { headerPairs: 32, headerSize: largestHeader },
    });
  } catch (cause) {
    throw new WeirError('invalid_input', 'the body must be multipart/form-data', { cause });
  }
}

/** Passes a body to the form piece by piece, and fails after a piece with which there is too much around the file. */
function limitFrame(form: Writable, countFileBytes: () => number): Writable {
  let total = 0;
  const limited = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      total += chunk.length;
      // Called back when the chunk is parsed.
      form.write(chunk, (error) => {
        const isTooMuch = total - countFileBytes() > mostFrameBytes;
        done(error ?? (isTooMuch ? new WeirError('invalid_input', 'the header of a part is too long') : null));
      });
    },
    final: (done) => void form.end(done),
    destroy: (error, done) => {
      // Rejects the wait for the next part.
      if (error !== null) form.destroy(error);
      done(error);
    },
  });
  form.once('error', (error) => limited.destroy(error));
  return limited;
}

function isCutOff(error: unknown): boolean {
  return error instanceof Error && /unexpected end of multipart data/i.test(error.message);
}
