import type { FinishedSegment } from '@weir/engine-api';
import type { LoggedSegment, Totals } from './segment-log.ts';

/** Identity and start of a session: enough to resume it. */
export interface SessionFacts extends Pick<FinishedSegment, 'vhost' | 'app' | 'stream' | 'quality'> {
  readonly uuid: string;
  readonly startedAtMs: number;
}

/** Output of one stream, or of one lower quality of it, from its first segment until silence or end. */
export interface RecordingSession<Data> extends SessionFacts {
  /** Totals of its log. */
  readonly totals: Totals;
  readonly last: LoggedSegment | undefined;
  /** Data of the owner while it runs. */
  data: Data;
}

/** `asked`: by a person. `silent`: nothing came for too long. `stopped`: nothing more can be taken now. */
export type EndReason = 'asked' | 'silent' | 'stopped';

/**
 * Consumer of recording sessions: local recording, cloud recording, transcript, OCR. Calls for one stream are
 * serialised in the order of its segments.
 */
export interface SessionOwner<Data> {
  /** Path of a session's log; its directory is created. */
  logFile(uuid: string): string;
  /** True to take this segment. A session starts only with a taken one. */
  wants(segment: FinishedSegment): Promise<boolean>;
  /** A session begins, and its log has its first line. When this resolves, a restart must find the session. */
  begin(facts: SessionFacts): Promise<Data>;
  /**
   * Takes of the segment what is wanted, and says how many bytes; undefined: nothing. A process that is killed before the log has
   * it is offered the same one again, so this must bear being done twice.
   */
  keep(session: RecordingSession<Data>, segment: FinishedSegment): Promise<number | undefined>;
  /** The log did not take a segment that was kept. */
  drop?(session: RecordingSession<Data>, segment: FinishedSegment): Promise<void>;
  /** The segment is in the log, which also marks seams. Errors here do not return it. */
  kept(session: RecordingSession<Data>, entry: LoggedSegment, segment: FinishedSegment): Promise<void>;
  /** Taking a segment threw: it is missing. */
  failed?(segment: FinishedSegment, error: unknown): Promise<void>;
  /** A process before this one began it. */
  resumed?(session: RecordingSession<Data>, segments: readonly LoggedSegment[]): Promise<void>;
  /** A session is over, and a restart must find it so. When this throws it stays open, and is ended again later. */
  end(session: RecordingSession<Data>): Promise<void>;
  /** A session came to nothing: it could not begin, or has no segment. Nothing of it stays. */
  discard(uuid: string): Promise<void>;
  /** Called at the end; later segments belong to the next session. */
  ended?(session: RecordingSession<Data>, reason: EndReason): void;
}
