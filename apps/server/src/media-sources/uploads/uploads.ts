import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import {
  findPictureExtension,
  findSourceExtension,
  type PreparedFile,
  pictureExtensions,
  sourceExtensions,
  sourceLimits,
  type UploadState,
} from '@weir/contract';
import { type Clock, isoNow } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import { Mutex } from '../../core/mutex.ts';
import { diskError, type SourceFolders } from '../source-folders.ts';
import type { SourceRecord, SourceRepository } from '../source-repository.ts';
import { readMultipart } from './multipart-reader.ts';

interface Context {
  readonly repository: SourceRepository;
  readonly folders: SourceFolders;
  readonly clock: Clock;
  /** Size limit of a file. */
  readonly largestBytes: number;
}

/** Facts about a body from the request's headers. */
interface WholeBody {
  readonly contentType: string | undefined;
  readonly length?: number | undefined;
}

const largestFrame = 64 * 1024;

/**
 * Files that browsers and scripts send: whole, or in pieces that may be broken off and resumed. What has arrived of one is the length of
 * its file, so nothing is lost when the page or the server is started anew.
 */
export class Uploads {
  readonly #context: Context;
  /** Current writers. The next chunk of the same upload replaces a writer, whose sender may be hanging. */
  readonly #writers = new Map<string, { stop: AbortController; done: Promise<unknown> }>();
  /** Serialises decisions about an upload, and about their number: a check stays true until it is acted on. */
  readonly #mutex = new Mutex();

  constructor(context: Context) {
    this.#context = context;
  }

  /**
   * Receives a whole file as multipart/form-data. A failure leaves nothing behind. `length`: body length, if given.
   */
  async whole(filename: string, { contentType, length = 0 }: WholeBody, body: Readable): Promise<SourceRecord> {
    const { largestBytes, folders } = this.#context;
    // The frame around the file is small, so this refuses no file that would fit.
    if (length > largestBytes + largestFrame) throw tooLarge(largestBytes);
    await folders.assertRoom(length);
    const record = await this.#begin(filename, 0);
    try {
      // Every part must be the file that the path names.
      const assertName = (name: string | undefined) => {
        if (name === filename) return;
        throw new WeirError('invalid_input', 'filename: the name in the body does not match the name in the path');
      };
      const content = readMultipart({ body, contentType, assertName });
      const size = await this.#write(record.uuid, body, { from: 0, most: largestBytes, content });
      if (size === 0) throw new WeirError('invalid_input', 'the file is empty');
      return await this.#finish({ ...record, size });
    } catch (error) {
      await this.#drop(record);
      throw error;
    }
  }

  async begin(name: string, size: number): Promise<UploadState> {
    const { folders, repository, largestBytes } = this.#context;
    if (size > largestBytes) throw tooLarge(largestBytes);
    await folders.assertRoom(size);
    return this.#mutex.take(async () => {
      const unfinished = (await repository.list()).filter(isUnfinished);
      if (unfinished.length >= sourceLimits.unfinishedUploads) {
        throw new WeirError('unavailable', 'too many unfinished uploads, finish or cancel one first');
      }
      return this.#stateOf(await this.#begin(name, size));
    });
  }

  async list(): Promise<UploadState[]> {
    const records = (await this.#context.repository.list()).filter(isUnfinished);
    return Promise.all(records.map((record) => this.#stateOf(record)));
  }

  /** The next piece. A piece that breaks off counts as far as it came. */
  async append(uuid: string, offset: number, body: Readable): Promise<UploadState> {
    const { record, written } = await this.#mutex.take(async () => {
      const record = await this.#unfinished(uuid);
      await this.#stopWriter(uuid, 'the upload was continued by another request');
      const { offset: arrived } = await this.#stateOf(record);
      if (arrived !== offset) throw new WeirError('invalid_input', `offset: ${arrived} bytes received`);
      return { record, written: this.#write(uuid, body, { from: offset, most: record.size, content: body }) };
    }, uuid);
    await written;
    return this.#stateOf(record);
  }

  /** Safe to repeat: the answer to the first call may have been lost. */
  finish(uuid: string): Promise<SourceRecord> {
    return this.#mutex.take(async () => {
      const known = await this.#context.repository.get(uuid);
      if (known?.type === 'upload' && known.state === 'prepared') return known;
      const record = await this.#unfinished(uuid);
      const { offset } = await this.#stateOf(record);
      if (offset !== record.size) {
        throw new WeirError('invalid_input', `the upload is incomplete: ${offset} of ${record.size} bytes received`);
      }
      // A sender that has not ended its request would go on writing into the finished file.
      await this.#stopWriter(uuid, 'the upload is finished');
      return this.#finish(record);
    }, uuid);
  }

  cancel(uuid: string): Promise<void> {
    return this.#mutex.take(async () => {
      const record = await this.#unfinished(uuid);
      await this.#stopWriter(uuid, 'the upload was cancelled');
      await this.#drop(record);
    }, uuid);
  }

  isActive(uuid: string): boolean {
    return this.#writers.has(uuid);
  }

  /** When the last byte of an unfinished one came. */
  async updatedAt({ uuid, created }: SourceRecord): Promise<Date> {
    return (await statIfAny(this.#context.folders.part(uuid)))?.mtime ?? new Date(created);
  }

  async #begin(filename: string, size: number): Promise<SourceRecord> {
    const { folders, repository, clock } = this.#context;
    const record = newUpload(filename, size, isoNow(clock));
    await folders.make();
    await repository.add(record);
    // Exclusively: never into a file that is there already.
    await (await open(folders.part(record.uuid), 'wx', 0o600)).close();
    return record;
  }

  async #stopWriter(uuid: string, reason: string): Promise<void> {
    const writer = this.#writers.get(uuid);
    writer?.stop.abort(new WeirError('invalid_input', reason));
    await writer?.done.catch(() => undefined);
  }

  #write(
    uuid: string,
    body: Readable,
    { from, most, content }: { from: number; most: number; content: AsyncIterable<Buffer> },
  ): Promise<number> {
    const { folders, largestBytes } = this.#context;
    const stop = new AbortController();
    stop.signal.addEventListener('abort', () => body.destroy());
    const done = receiveFile({
      path: folders.part(uuid),
      from,
      content,
      signal: stop.signal,
      assertRoom: (bytes) => folders.assertRoom(bytes),
      assertSize: (bytes) => {
        if (bytes > largestBytes) throw tooLarge(largestBytes);
        if (bytes > most) throw new WeirError('invalid_input', 'the file is larger than announced');
      },
    });
    const writer = { stop, done };
    this.#writers.set(uuid, writer);
    const forget = () => {
      if (this.#writers.get(uuid) === writer) this.#writers.delete(uuid);
    };
    return done.finally(forget);
  }

  async #finish(record: SourceRecord): Promise<SourceRecord> {
    const { folders, repository } = this.#context;
    const prepared = { ...record, state: 'prepared' as const };
    // Renamed already when the server was killed before it wrote the record.
    if (await statIfAny(folders.part(record.uuid))) await rename(folders.part(record.uuid), folders.file(prepared));
    return repository.change(record.uuid, prepared);
  }

  async #drop(record: SourceRecord): Promise<void> {
    await this.#context.folders.remove(record);
    await this.#context.repository.delete(record.uuid);
  }

  async #unfinished(uuid: string): Promise<SourceRecord> {
    const record = await this.#context.repository.get(uuid);
    if (!record || !isUnfinished(record)) throw new WeirError('not_found', 'there is no such upload, start it again');
    return record;
  }

  async #stateOf(record: SourceRecord): Promise<UploadState> {
    const { uuid, name, size } = record;
    const { folders } = this.#context;
    const facts =
      (await statIfAny(folders.part(uuid))) ?? (await statIfAny(folders.file({ ...record, state: 'prepared' })));
    const updated = (facts?.mtime ?? new Date(record.created)).toISOString();
    return { uuid, name, size, offset: facts?.size ?? 0, updated };
  }
}

/** Answer of the calls that prepare a file. */
export function preparedFile(record: SourceRecord, folders: SourceFolders): PreparedFile {
  return { name: record.name, uuid: record.uuid, target: folders.target(record), size: record.size };
}

function statIfAny(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}

function isUnfinished({ state, type }: SourceRecord): boolean {
  return state === 'receiving' && type === 'upload';
}

function newUpload(filename: string, size: number, created: string): SourceRecord {
  const extension = findSourceExtension(filename) ?? findPictureExtension(filename);
  if (filename.length > sourceLimits.nameCharacters || /[/\\\p{Cc}]/u.test(filename)) {
    throw new WeirError('invalid_input', 'filename: must be a file name without a path');
  }
  if (extension === undefined) {
    throw new WeirError(
      'invalid_input',
      `filename: must end in one of ${[...sourceExtensions, ...pictureExtensions].join(' ')}`,
    );
  }
  return {
    uuid: randomUUID(),
    type: 'upload',
    state: 'receiving',
    name: filename,
    path: filename,
    size,
    extension,
    created,
    probe: null,
  };
}

function tooLarge(bytes: number): WeirError {
  return new WeirError('too_large', `a file can have at most ${Math.floor(bytes / 1_000_000)} MB (WEIR_UPLOAD_LIMIT)`);
}

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
async function receiveFile({ path, from, content, signal, assertRoom, assertSize }: Reception): Promise<number> {
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
