import type { UploadJob } from '../../uploads/upload-job.ts';
import type { UploadPlace } from '../../uploads/upload-owner.ts';
import type { CloudRow } from './cloud-rows.ts';

/** Backend of one of the two kinds: chooses where files go and completes a recording. */
export interface CloudSink {
  isReady(): Promise<boolean>;
  /** Returns the location for a new recording. */
  begin(uuid: string): Promise<Partial<CloudRow>>;
  placeFor(row: CloudRow, job: UploadJob): Promise<UploadPlace>;
  /** Completes a recording whose files have all arrived. Retried on failure, so it must be idempotent. */
  finish(row: CloudRow): Promise<Partial<CloudRow>>;
  /** The public address of a file of the recording. */
  urlOf(row: CloudRow, fileName: string): string;
}
