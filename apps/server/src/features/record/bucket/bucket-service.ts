import {
  type Alert,
  type BucketTest,
  type bucketApi,
  type DataOf,
  isBucketComplete,
  maskKey,
  type RecordBucket,
  type RecordingUpload,
} from '@weir/contract';
import type { Log } from '@weir/plane';
import type { Clock } from '../../../core/clock.ts';
import { WeirError } from '../../../core/errors.ts';
import type { OutgoingClient } from '../../../core/outgoing/request/outgoing-client.ts';
import { folderOf, secretFor, testBucket, toBucket } from '../../../uploads/bucket-settings.ts';
import { S3Client } from '../../../uploads/s3-client.ts';
import { S3Error } from '../../../uploads/s3-error.ts';
import { uploadAlert } from '../../../uploads/upload-alert.ts';
import { sentBytes, type UploadJob } from '../../../uploads/upload-job.ts';
import type { UploadOwner, UploadPlace } from '../../../uploads/upload-owner.ts';
import type { UploadQueue } from '../../../uploads/upload-queue.ts';
import type { Arrived, BucketRepository } from './bucket-repository.ts';
import type { ArchivedRecording, RecordingArchive } from './recording-archive.ts';

export const bucketOwner = 'record';
const page = { page: 'scenario', tab: 'record', child: '' } as const;

interface Context {
  readonly repository: BucketRepository;
  readonly queue: UploadQueue;
  readonly outgoing: OutgoingClient;
  /** Throws while it cannot be deleted yet. */
  readonly removeRecording: (uuid: string) => Promise<void>;
  readonly log: Log;
  readonly clock: Clock;
}

/** Finished recordings on their way into a bucket of the owner's. */
export class BucketService implements UploadOwner, RecordingArchive {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  async query(): Promise<DataOf<typeof bucketApi.query>> {
    const settings = await this.#context.repository.read();
    const backlog = await this.#context.queue.backlog(bucketOwner);
    return { ...settings, secretAccessKey: maskKey(settings.secretAccessKey), backlog };
  }

  /** Switched off, what waits stays here; changed, it goes to the new bucket. */
  async apply(next: RecordBucket): Promise<void> {
    const { repository, queue, log } = this.#context;
    const saved = await repository.change((current) => ({ ...next, secretAccessKey: secretFor(current, next) }));
    log.info({ enabled: saved.enabled, bucket: saved.bucket }, 'bucket for recordings saved');
    if (saved.enabled) queue.retry(bucketOwner);
    else for (const id of await queue.idsOf(bucketOwner)) await queue.cancel(bucketOwner, id);
  }

  async test(next: RecordBucket): Promise<BucketTest> {
    if (!isBucketComplete(next))
      throw new WeirError('missing_field', 'endpoint, bucket, access key and secret key are required');
    const secretAccessKey = secretFor(await this.#context.repository.read(), next);
    const s3 = new S3Client(this.#context.outgoing, toBucket({ ...next, secretAccessKey }), this.#context.clock);
    return testBucket(s3, folderOf(next.prefix));
  }

  async alerts(): Promise<Alert[]> {
    return uploadAlert(bucketOwner, page, await this.#context.queue.backlog(bucketOwner));
  }

  retry(): void {
    this.#context.queue.retry(bucketOwner);
  }

  async offer(recording: ArchivedRecording): Promise<void> {
    const { repository, queue } = this.#context;
    const { enabled, prefix } = await repository.read();
    if (!enabled || (await repository.arrived()).has(recording.uuid)) return;
    const key = folderOf(prefix) + keyOf(recording);
    const { uuid, file } = recording;
    const source = { inPlace: file };
    await queue.add({ owner: bucketOwner, id: uuid, lane: uuid, key, type: 'video/mp4', source });
  }

  async uploads(): Promise<ReadonlyMap<string, RecordingUpload>> {
    const { repository, queue } = this.#context;
    const [{ bucket }, arrived] = await Promise.all([repository.read(), repository.arrived()]);
    const uploads = new Map([...arrived].map(([uuid, facts]) => [uuid, arrivedUpload(facts)]));
    for (const id of await queue.idsOf(bucketOwner)) {
      const job = await queue.find(bucketOwner, id);
      if (job) uploads.set(id, waitingUpload(job, bucket, queue.isUploading(bucketOwner, id)));
    }
    return uploads;
  }

  async forget(uuid: string): Promise<void> {
    await this.#context.queue.cancel(bucketOwner, uuid);
    await this.#context.repository.forget(uuid);
  }

  async placeFor({ key }: UploadJob): Promise<UploadPlace> {
    const settings = await this.#context.repository.read();
    if (!isBucketComplete(settings)) throw new S3Error('account', 'no bucket is set');
    return { bucket: toBucket(settings), key };
  }

  async uploaded(job: UploadJob): Promise<void> {
    const { repository, outgoing, clock } = this.#context;
    const settings = await repository.read();
    // The word of the storage, not of an earlier answer: the only other one may be deleted now.
    const size = await new S3Client(outgoing, toBucket(settings), clock).sizeOf(job.key);
    if (size !== job.bytes) throw new S3Error('refused', 'the stored file is incomplete');
    const facts = { key: job.key, bucket: settings.bucket, bytes: job.bytes, tries: job.tries + 1 };
    await repository.note(job.id, {
      ...facts,
      doneAtMs: this.#context.clock.dateMs(),
      error: '',
      isLocalToGo: !settings.keepLocal,
    });
    await this.tidy();
  }

  async gone(job: UploadJob): Promise<void> {
    const { bucket } = await this.#context.repository.read();
    const facts = { key: job.key, bucket, bytes: job.bytes, tries: job.tries, isLocalToGo: false };
    await this.#context.repository.note(job.id, { ...facts, doneAtMs: 0, error: job.error });
  }

  /** Deletes here what is there, where that was chosen. One that cannot be deleted yet is looked at again. */
  async tidy(): Promise<void> {
    const { repository, removeRecording, log } = this.#context;
    for (const [uuid, { isLocalToGo }] of await repository.arrived()) {
      if (!isLocalToGo) continue;
      await removeRecording(uuid).then(
        () => log.info({ uuid }, 'recording uploaded to the bucket and removed from this server'),
        async (error: unknown) => {
          if (error instanceof WeirError && error.kind === 'not_found') await repository.forget(uuid);
        },
      );
    }
  }
}

/** Names that every storage and every file system knows, sorted by time, and never the same twice. */
function keyOf({ uuid, app, stream, startedAtMs }: ArchivedRecording): string {
  const plain = (name: string) => name.replace(/[^A-Za-z0-9_.-]+/g, '_').replace(/^\.+/, '_') || '_';
  const date = new Date(startedAtMs).toISOString().slice(0, 19).replace(/[:T]/g, '-');
  return `${plain(app)}/${plain(stream)}/${date}-${uuid}.mp4`;
}

function arrivedUpload({ key, bucket, bytes, tries, doneAtMs, error }: Arrived): RecordingUpload {
  const isDone = doneAtMs > 0;
  const facts = { key, bucket, bytes, tries, error, nextTry: '' };
  return isDone
    ? { ...facts, state: 'done', percent: 100, failure: '', doneAt: new Date(doneAtMs).toISOString() }
    : { ...facts, state: 'failed', percent: 0, failure: 'gone', doneAt: '' };
}

function waitingUpload(job: UploadJob, bucket: string, isActive: boolean): RecordingUpload {
  const { key, bytes, tries, failure, error, nextTryAtMs } = job;
  return {
    state: isActive ? 'uploading' : 'waiting',
    key,
    bucket,
    bytes,
    tries,
    failure,
    error,
    percent: bytes === 0 ? 0 : Math.floor((sentBytes(job) / bytes) * 100),
    nextTry: isActive || nextTryAtMs === 0 ? '' : new Date(nextTryAtMs).toISOString(),
    doneAt: '',
  };
}
