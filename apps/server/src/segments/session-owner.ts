import type { FinishedSegment } from '@weir/dialect';
import type { LoggedSegment, Totals } from './segment-log.ts';

/** Whose session it is, and since when: enough to take it up again. */
export interface SessionFacts extends Pick<FinishedSegment, 'vhost' | 'app' | 'stream'> {
  readonly uuid: string;
  readonly startedAtMs: number;
}

/** What one stream sends, from its first segment until it is silent or ended. */
export interface RecordingSession<Data> extends SessionFacts {
  /** Of everything in its log. */
  readonly totals: Totals;
  readonly last: LoggedSegment | undefined;
  /** What its owner keeps of it while it runs. */
  data: Data;
}

/** `asked`: by a person. `silent`: nothing came for too long. `stopped`: nothing more can be taken now. */
export type EndReason = 'asked' | 'silent' | 'stopped';

/**
 * Whoever makes something of the segments of streams: a recording here, one in the cloud, a transcript, words in pictures.
 * Of one stream one of these is called at a time, in the order of its segments.
 */
export interface SessionOwner<Data> {
  /** Where the log of a session is kept. Its directory is made. */
  logFile(uuid: string): string;
  /** Whether this segment is to be taken now. Where it is not, no session begins with it. */
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
  /** The segment is in the log, which also says whether there is a seam before it. It is taken, whatever throws here. */
  kept(session: RecordingSession<Data>, entry: LoggedSegment, segment: FinishedSegment): Promise<void>;
  /** Taking a segment threw: it is missing. */
  failed?(segment: FinishedSegment, error: unknown): Promise<void>;
  /** A process before this one began it. */
  resumed?(session: RecordingSession<Data>, segments: readonly LoggedSegment[]): Promise<void>;
  /** A session is over, and a restart must find it so. When this throws it stays open, and is ended again later. */
  end(session: RecordingSession<Data>): Promise<void>;
  /** A session came to nothing: it could not begin, or has no segment. Nothing of it stays. */
  discard(uuid: string): Promise<void>;
  /** What comes from now on belongs to the next one. */
  ended?(session: RecordingSession<Data>, reason: EndReason): void;
}
