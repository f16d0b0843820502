import type { Bucket } from './s3-client.ts';
import type { UploadJob } from './upload-job.ts';

export interface UploadPlace {
  readonly bucket: Bucket;
  readonly key: string;
}

/** Whoever has files uploaded. */
export interface UploadOwner {
  /** Where this file goes, as things are now. Throws an `S3Error` when that is not known yet: it is asked again later. */
  placeFor(job: UploadJob): Promise<UploadPlace>;
  /** It is in the bucket. What throws here is done again, upload included, so it must bear that. */
  uploaded(job: UploadJob): Promise<void>;
  /** Its file is gone, so it never will be. */
  gone(job: UploadJob): Promise<void>;
}

export interface UploadRequest extends Pick<UploadJob, 'owner' | 'id' | 'lane' | 'key' | 'type'> {
  /** A file the queue keeps under a name of its own; a file that stays where it is; or a text. */
  readonly source: { readonly link: string } | { readonly inPlace: string } | { readonly text: string };
}
