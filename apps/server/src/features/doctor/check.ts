import type { DoctorCheck, DoctorFinding, DoctorReason, LadderEncoderTest, Tool } from '@weir/contract';
import type { Config } from '@weir/plane';
import type { Clock } from '../../core/clock.ts';
import type { MediaServer } from '../../media-server/media-server.ts';

/** Parts of the server that checks look at. The command line has them too, without a running server. */
export interface DoctorContext {
  readonly config: Config;
  readonly clock: Clock;
  readonly mediaServer: Pick<MediaServer, 'health'>;
  readonly encoders: { chosen(): Promise<LadderEncoderTest | undefined> };
  readonly ffmpeg: { read(): Promise<Tool> };
  /** Process ids of the engine; 0 if unknown. */
  readonly enginePid: () => number;
}

/** Facts of one run. */
export interface Question extends DoctorContext {
  /** Public host name; empty if there is none. */
  readonly name: string;
  /** Host of the page, or of the command line. */
  readonly pageHost: string;
  /** Difference between the browser's clock and ours; undefined without a browser. */
  readonly browserAheadMs: number | undefined;
  readonly browserZone: string;
  /** Ends with the time of the check. */
  readonly signal: AbortSignal;
}

export interface Result {
  readonly verdict: DoctorFinding['verdict'];
  readonly reason: DoctorReason;
  readonly facts?: Readonly<Record<string, string | number>>;
  readonly command?: string;
  readonly tab?: string;
}

/** One check as data: its words are in the console's texts by its reason. */
export interface Check {
  readonly name: DoctorCheck;
  readonly withinMs?: number;
  readonly run: (question: Question) => Promise<Result>;
}
