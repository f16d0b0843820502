import { type FileHandle, open } from 'node:fs/promises';
import { WeirError } from '../../core/errors.ts';
import { diskError } from '../source-folders.ts';

/** Bytes between two checks of free disk space. */
const roomCheckBytes = 64 * 1024 * 1024;

interface Reception {
  readonly path: string;
  /** Offset of the first byte. */
  readonly from: number;
  readonly content: AsyncIterable<Buffer>;
  /** Aborting also ends the content stream. */
  readonly signal: AbortSignal;
  /** Throws when this much more does not fit. */
  readonly assertRoom: (bytes: number) => Promise<void>;
  /** Throws when a file of this size is too large. */
  readonly assertSize: (bytes: number) => void;
}

/**
 * Writes bytes as they come to the end of a file, and answers with its size. The next chunk is asked for when the last is written, so memory
 * stays the same however large the file is. What came before a failure stays in the file.
 */
export async function receiveFile({ path, from, content, signal, assertRoom, assertSize }: Reception): Promise<number> {
  let size = from;
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, 'r+');
    signal.throwIfAborted();
    await assertRoom(0);
    let checkedAt = size;
    for await (const chunk of content) {
      assertSize(size + chunk.length);
      if (size - checkedAt >= roomCheckBytes) {
        await assertRoom(chunk.length);
        checkedAt = size;
      }
      for (let done = 0; done < chunk.length; ) {
        const { bytesWritten } = await handle.write(chunk, done, chunk.length - done, size);
        done += bytesWritten;
        size += bytesWritten;
      }
    }
    return size;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw isBroken(error)
      ? new WeirError('invalid_input', 'the connection was lost', { cause: error })
      : diskError(error);
  } finally {
    await handle?.close();
  }
}

function isBroken(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ABORT_ERR';
}
