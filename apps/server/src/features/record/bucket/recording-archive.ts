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
  /** Queues a recording. Once this resolves, the upload survives a crash. Idempotent. */
  offer(recording: ArchivedRecording): Promise<void>;
  /** By the ids of recordings that are there or on their way. */
  uploads(): Promise<ReadonlyMap<string, RecordingUpload>>;
  /** The recording is deleted here. */
  forget(uuid: string): Promise<void>;
}
