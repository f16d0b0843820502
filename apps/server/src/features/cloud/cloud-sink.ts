import type { UploadJob } from '../../uploads/upload-job.ts';
import type { UploadPlace } from '../../uploads/upload-owner.ts';
import type { CloudRow } from './cloud-rows.ts';

/** What tells the two kinds apart: where files go, and what is done when the last one is there. */
export interface CloudSink {
  isReady(): Promise<boolean>;
  /** What is known of its place when a recording begins. */
  begin(uuid: string): Promise<Partial<CloudRow>>;
  placeFor(row: CloudRow, job: UploadJob): Promise<UploadPlace>;
  /** Everything is there. Done again when it fails, so it must bear that. */
  finish(row: CloudRow): Promise<Partial<CloudRow>>;
  /** The public address of a segment. */
  urlOf(row: CloudRow, tsid: string): string;
}
