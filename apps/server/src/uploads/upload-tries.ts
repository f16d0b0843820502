import type { Log } from '@weir/plane';
import type { Clock } from '../core/clock.ts';
import type { OutgoingClient } from '../core/outgoing/request/outgoing-client.ts';
import { S3Client } from './s3-client.ts';
import { S3Error, toS3Error } from './s3-error.ts';
import { uploadFile } from './upload-file.ts';
import { retryMs, type UploadJob } from './upload-job.ts';
import type { UploadJournal } from './upload-journal.ts';
import type { UploadOwner } from './upload-owner.ts';

interface Context {
  readonly journal: Pick<UploadJournal, 'get' | 'change'>;
  readonly outgoing: OutgoingClient;
  readonly log: Log;
  readonly clock: Pick<Clock, 'dateMs'>;
}

interface Tried {
  /** `over`: it arrived, or never will. `cancelled`: it was taken out meanwhile. `stopped`: this process ends. */
  readonly outcome: 'over' | 'later' | 'cancelled' | 'stopped';
  readonly nextTryAtMs: number;
}

const over: Tried = { outcome: 'over', nextTryAtMs: 0 };

/** Attempt to upload a file: asks its owner for the destination and reports arrival or loss. */
export class UploadTries {
  readonly #context: Context;
  readonly #owners = new Map<string, UploadOwner>();
  readonly #abort = new AbortController();

  constructor(context: Context) {
    this.#context = context;
  }

  own(name: string, owner: UploadOwner): void {
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
          // Taken out meanwhile: there is nothing to go on with.
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
    // After a part that arrived it begins to count anew: the storage is there.
    const hasMoved = ((await journal.get(key))?.etags.length ?? 0) > job.etags.length;
    const tries = hasMoved ? 1 : job.tries + 1;
    const nextTryAtMs = clock.dateMs() + Math.round(retryMs(tries));
    if (tries === 1) log.warn({ owner: job.owner, key: job.key, reason: message }, 'upload failed');
    const kept = await journal.change(key, { tries, nextTryAtMs, failure, error: message });
    return { outcome: kept ? 'later' : 'cancelled', nextTryAtMs };
  }
}
