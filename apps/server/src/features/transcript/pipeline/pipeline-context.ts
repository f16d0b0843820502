import type { Log } from '@weir/plane';
import type { Clock } from '../../../core/clock.ts';
import type { Cue } from '../../../speech/cue.ts';
import type { OverlayMaker } from '../output/overlay-maker.ts';
import type { PipelineRepository } from './pipeline-repository.ts';
import type { SegmentFiles } from './segment-files.ts';
import type { SegmentRow } from './segment-row.ts';

/** What is known of the speech in the stream that a lane takes. */
interface LaneSpeech {
  /** `vhost/app/name`. */
  readonly place: string;
  /** Of which publisher. */
  readonly epoch: string;
  readonly knownUntilMs: number | undefined;
  readonly heardUntilMs: number | undefined;
}

/** What nobody listened to of a lane's segments. */
interface LaneMissed {
  /** Has it read from those that wait for their text. To be told again as time passes. */
  look(rows: readonly SegmentRow[]): void;
  isDone(row: SegmentRow): boolean;
}

export interface PipelineContext {
  readonly repository: PipelineRepository;
  readonly files: SegmentFiles;
  readonly maker: Pick<OverlayMaker, 'make'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly speech: () => LaneSpeech | undefined;
  readonly missed: LaneMissed;
  readonly fixSeconds: () => number | null;
  /** The lane's row is to be kept. */
  readonly onChange: () => Promise<void>;
  /** Its text is final. Told before that is kept, and again by the next process where this one is killed in between. */
  readonly onSettled: (row: SegmentRow, cues: readonly Cue[]) => void;
}
