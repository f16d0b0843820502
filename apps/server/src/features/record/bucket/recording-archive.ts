import type { RecordingUpload } from '@weir/contract';

export interface ArchivedRecording {
  readonly uuid: string;
  readonly app: string;
  readonly stream: string;
  readonly startedAtMs: number;
  readonly file: string;
}

/** Another place that keeps finished recordings, as far as finishing and the library have to know of it. */
export interface RecordingArchive {
  /** What this resolved for arrives there some time, whatever happens to this process. Offered twice is offered once. */
  offer(recording: ArchivedRecording): Promise<void>;
  /** By the ids of recordings that are there or on their way. */
  uploads(): Promise<ReadonlyMap<string, RecordingUpload>>;
  /** The recording is deleted here. */
  forget(uuid: string): Promise<void>;
}
