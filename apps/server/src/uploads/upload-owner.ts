import type { Bucket } from './s3-client.ts';
import type { UploadJob } from './upload-job.ts';

export interface UploadPlace {
  readonly bucket: Bucket;
  readonly key: string;
}

/** Feature that uploads files. */
export interface UploadOwner {
  /** Current destination of the file. Throws an `S3Error` while unknown: it is asked again later. */
  placeFor(job: UploadJob): Promise<UploadPlace>;
  /** Called when the file is in the bucket. Repeated with the upload if it throws, so it must be idempotent. */
  uploaded(job: UploadJob): Promise<void>;
  /** Called when the local file is gone and can never be uploaded. */
  gone(job: UploadJob): Promise<void>;
}

export interface UploadRequest extends Pick<UploadJob, 'owner' | 'id' | 'lane' | 'key' | 'type'> {
  /** A file the queue keeps under a name of its own; a file that stays where it is; or a text. */
  readonly source: { readonly link: string } | { readonly inPlace: string } | { readonly text: string };
}
