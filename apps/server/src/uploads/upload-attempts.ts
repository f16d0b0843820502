import { stat } from 'node:fs/promises';
import type { Log } from '@weir/plane';
import type { Clock } from '../core/clock.ts';
import type { OutgoingClient } from '../core/outgoing/request/outgoing-client.ts';
import { S3Client } from './s3-client.ts';
import { S3Error, toS3Error } from './s3-error.ts';
import { retryMs, type UploadJob } from './upload-job.ts';
import type { UploadJournal } from './upload-journal.ts';
import type { UploadOwner } from './upload-owner.ts';

const MiB = 1024 * 1024;
/** Larger files go in parts, so that a broken connection costs one part and not the whole. */
const partsAbove = 16 * MiB;
const smallestPart = 8 * MiB;
/** S3 takes ten times as many; fewer keep what the journal remembers of a file small. */
const mostParts = 1000;

type Progress = Pick<UploadJob, 'uploadId' | 'partBytes' | 'etags'>;
const fresh: Progress = { uploadId: '', partBytes: 0, etags: [] };

interface Options {
  readonly signal: AbortSignal;
  /** Remembers how far it is; what it resolved for is not sent again, also by another process. */
  readonly remember: (progress: Progress) => Promise<void>;
}

/** Brings one file into the bucket, going on where an earlier try ended. */
async function uploadFile(s3: S3Client, job: UploadJob, { signal, remember }: Options): Promise<void> {
  const { file, bytes, key, type } = job;
  const { size } = await stat(file).catch((error: unknown) => {
    throw toS3Error(error);
  });
  if (size !== bytes) throw new S3Error('gone', 'the file changed before it was uploaded');
  if (bytes <= partsAbove) return s3.putFile(key, { file, from: 0, to: bytes }, type, signal);

  let progress: Progress = job;
  // All parts arrived before this attempt, so the bucket may have completed the object already; storages answer this differently.
  const hasAllParts = progress.uploadId !== '' && progress.partBytes * progress.etags.length >= bytes;
  if (hasAllParts && (await s3.sizeOf(key, signal)) === bytes) return;
  try {
    if (progress.uploadId === '') {
      const uploadId = await s3.beginParts(key, type, signal);
      progress = { uploadId, partBytes: partBytesOf(bytes), etags: [] };
      await remember(progress);
    }
    const { uploadId, partBytes } = progress;
    for (let from = partBytes * progress.etags.length; from < bytes; from += partBytes) {
      const part = { file, from, to: Math.min(bytes, from + partBytes) };
      const etag = await s3.putPart(key, uploadId, progress.etags.length + 1, part, signal);
      progress = { ...progress, etags: [...progress.etags, etag] };
      await remember(progress);
    }
    await s3.completeParts(key, uploadId, progress.etags, signal);
  } catch (error) {
    if (!(error instanceof S3Error) || !isForgotten(error, job.tries)) throw error;
    // Either a process finished the upload and was killed before it could note that, or the storage dropped the upload.
    if ((await s3.sizeOf(key, signal)) === bytes) return;
    // The storage keeps and charges for parts of abandoned uploads.
    if (error.code !== 'NoSuchUpload') await s3.abortParts(key, progress.uploadId, signal).catch(() => undefined);
    await remember(fresh);
    throw error;
  }
}

/**
 * True if the storage has forgotten this upload, or refuses it repeatedly without a reason, as another storage would.
 */
function isForgotten({ code, failure }: S3Error, tries: number): boolean {
  return /^(NoSuchUpload|InvalidPart)/.test(code) || (failure === 'refused' && tries >= 4);
}

/** Smallest part size that the limit of parts allows. */
function partBytesOf(bytes: number): number {
  return Math.max(smallestPart, Math.ceil(bytes / mostParts / MiB) * MiB);
}

interface Context {
  readonly journal: Pick<UploadJournal, 'get' | 'change'>;
  readonly outgoing: OutgoingClient;
  readonly log: Log;
  readonly clock: Pick<Clock, 'dateMs'>;
}

interface Tried {
  /** `over`: arrived, or failed for good. `cancelled`: removed from the queue. `stopped`: the server stops. */
  readonly outcome: 'over' | 'later' | 'cancelled' | 'stopped';
  readonly nextTryAtMs: number;
}

const over: Tried = { outcome: 'over', nextTryAtMs: 0 };

/** Attempt to upload a file: asks its owner for the destination and reports arrival or loss. */
export class UploadAttempts {
  readonly #context: Context;
  readonly #owners = new Map<string, UploadOwner>();
  readonly #abort = new AbortController();

  constructor(context: Context) {
    this.#context = context;
  }

  registerOwner(name: string, owner: UploadOwner): void {
    this.#owners.set(name, owner);
  }

  /** Aborts current transfers; the next process retries them. */
  stop(): void {
    this.#abort.abort();
  }

  async try(key: string, job: UploadJob): Promise<Tried> {
    const { log } = this.#context;
    const owner = this.#owners.get(job.owner);
    if (!owner) throw new Error(`no upload target for ${job.owner}`);
    try {
      await this.#send(key, job, owner);
      log.info({ owner: job.owner, key: job.key, bytes: job.bytes, tries: job.tries + 1 }, 'uploaded');
      return over;
    } catch (error) {
      return this.#failed(key, job, { error: toS3Error(error), owner });
    }
  }

  /** Parts that cannot be removed now are removed by the storage's own rules. */
  async abortParts(job: UploadJob): Promise<void> {
    const { outgoing, log, clock } = this.#context;
    try {
      const place = await this.#owners.get(job.owner)?.placeFor(job);
      if (!place) return;
      await new S3Client(outgoing, place.bucket, clock).abortParts(place.key, job.uploadId, this.#abort.signal);
    } catch (error) {
      log.debug({ owner: job.owner, err: error }, 'parts of a cancelled upload were left behind');
    }
  }

  async #send(key: string, job: UploadJob, owner: UploadOwner): Promise<void> {
    const { journal, outgoing, clock } = this.#context;
    const place = await owner.placeFor(job);
    const s3 = new S3Client(outgoing, place.bucket, clock);
    await uploadFile(
      s3,
      { ...job, key: place.key },
      {
        signal: this.#abort.signal,
        remember: async (progress) => {
          // Removed from the queue meanwhile.
          if (!(await journal.change(key, progress))) throw new S3Error('stopped', 'the upload was cancelled');
        },
      },
    );
    await owner.uploaded(job).catch((cause: unknown) => {
      if (cause instanceof S3Error) throw cause;
      throw new S3Error('refused', 'the file was uploaded, but a later step failed', { cause });
    });
  }

  async #failed(
    key: string,
    job: UploadJob,
    { error, owner }: { readonly error: S3Error; readonly owner: UploadOwner },
  ): Promise<Tried> {
    const { journal, log, clock } = this.#context;
    const { failure, message } = error;
    if (failure === 'stopped' && this.#abort.signal.aborted) return { outcome: 'stopped', nextTryAtMs: 0 };
    if (failure === 'gone') {
      log.error({ owner: job.owner, key: job.key, reason: message }, 'a file is lost: it cannot be uploaded');
      await owner.gone({ ...job, failure, error: message });
      return over;
    }
    // A part that arrived shows that the storage is reachable, so attempts are counted from zero.
    const hasMoved = ((await journal.get(key))?.etags.length ?? 0) > job.etags.length;
    const tries = hasMoved ? 1 : job.tries + 1;
    const nextTryAtMs = clock.dateMs() + Math.round(retryMs(tries));
    if (tries === 1) log.warn({ owner: job.owner, key: job.key, reason: message }, 'upload failed');
    const kept = await journal.change(key, { tries, nextTryAtMs, failure, error: message });
    return { outcome: kept ? 'later' : 'cancelled', nextTryAtMs };
  }
}
