import type { RecordingUpload } from '@weir/contract';

export interface ArchivedRecording {
  readonly uuid: string;
  readonly app: string;
  readonly stream: string;
  readonly startedAtMs: number;
  readonly file: string;
}

/** Second storage for finished recordings, as finishing and the library see it. */
export interface RecordingArchive {
  /** Queues a recording; once resolved it arrives some time, whatever happens to this process. Idempotent. */
  offer(recording: ArchivedRecording): Promise<void>;
  /** By the ids of recordings that are there or on their way. */
  uploads(): Promise<ReadonlyMap<string, RecordingUpload>>;
  /** The recording is deleted here. */
  forget(uuid: string): Promise<void>;
}
