import type { Log } from '@weir/plane';
import type { Clock } from '../../../core/clock.ts';
import type { Cue } from '../../../speech/cue.ts';
import type { OverlayMaker } from '../output/overlay-maker.ts';
import type { PipelineRepository } from './pipeline-repository.ts';
import type { SegmentFiles } from './segment-files.ts';
import type { SegmentRow } from './segment-row.ts';

/** Progress of listening to a stream. */
interface SpeechState {
  /** `vhost/app/name`. */
  readonly place: string;
  /** Id of the publisher. */
  readonly epoch: string;
  readonly knownUntilMs: number | undefined;
  readonly heardUntilMs: number | undefined;
}

/** Recognition of the stream of a pipeline. */
interface PipelineSpeech {
  /** Undefined without a listener. */
  state(): SpeechState | undefined;
  /** Transcribes parts of these waiting segments that were missed live. To be called again as time passes. */
  catchUp(rows: readonly SegmentRow[]): void;
  /** True if nothing of the segment is still to be transcribed later. */
  isCaughtUp(row: SegmentRow): boolean;
}

/** Makers and receivers of the output. */
interface PipelineOutput extends Pick<OverlayMaker, 'make'> {
  /** Called with final text, before that is stored. A process killed in between makes the next one call again. */
  settled(row: SegmentRow, cues: readonly Cue[]): void;
}

export interface PipelineContext {
  readonly repository: PipelineRepository;
  readonly files: SegmentFiles;
  readonly speech: PipelineSpeech;
  readonly output: PipelineOutput;
  readonly clock: Clock;
  readonly log: Log;
  readonly fixSeconds: () => number | null;
  /** The lane's row is to be kept. */
  readonly onChange: () => Promise<void>;
}
