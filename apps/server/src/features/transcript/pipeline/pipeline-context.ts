import type { Log } from '@weir/plane';
import type { Clock } from '../../../core/clock.ts';
import type { Cue } from '../../../speech/cue.ts';
import type { OverlayMaker } from '../output/overlay-maker.ts';
import type { PipelineRepository } from './pipeline-repository.ts';
import type { SegmentFiles } from './segment-files.ts';
import type { SegmentRow } from './segment-row.ts';

/** Speech state of the pipeline's stream. */
interface LaneSpeech {
  /** `vhost/app/name`. */
  readonly place: string;
  /** Id of the publisher. */
  readonly epoch: string;
  readonly knownUntilMs: number | undefined;
  readonly heardUntilMs: number | undefined;
}

/** Parts of the segments that were not transcribed live. */
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
  /** Called with final text, before that is stored. A process killed in between makes the next one call again. */
  readonly onSettled: (row: SegmentRow, cues: readonly Cue[]) => void;
}
