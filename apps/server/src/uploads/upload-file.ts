import { stat } from 'node:fs/promises';
import type { S3Client } from './s3-client.ts';
import { S3Error, toS3Error } from './s3-error.ts';
import type { UploadJob } from './upload-job.ts';

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
export async function uploadFile(s3: S3Client, job: UploadJob, { signal, remember }: Options): Promise<void> {
  const { file, bytes, key, type } = job;
  const { size } = await stat(file).catch((error: unknown) => {
    throw toS3Error(error);
  });
  if (size !== bytes) throw new S3Error('gone', 'the file changed before it was uploaded');
  if (bytes <= partsAbove) return s3.putFile(key, { file, from: 0, to: bytes }, type, signal);

  let progress: Progress = job;
  // All parts arrived before this try began, so the bucket may have put them together already: storages differ in what they answer then.
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
    // Finished by a process that was killed before it could note so; or thrown away by the storage, which begins it anew.
    if ((await s3.sizeOf(key, signal)) === bytes) return;
    // Parts of an upload that nobody ends are stored, and charged for.
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
