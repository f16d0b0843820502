import { transcriptLimits } from '@weir/contract';
import type { SegmentStage } from '../../../pipelines/segment-pipeline.ts';
import type { SegmentQueue } from '../../../pipelines/segment-plan.ts';
import type { SegmentRow } from './segment-row.ts';

/** Video waits for text no longer than this. */
const longestAsrMs = 12_000;
/** Longest wait of a stream's last segments beyond their own duration. */
const lastRestMs = 10_000;
/** Tries to put a segment out, where even passing it on fails: then it is lost. */
const mostTries = 3;
const { queue: windowSegments, live: mostLive, restSegments } = transcriptLimits;
/** Limit of each queue between live and overlay. */
const mostWaiting = windowSegments + 1;

export const transcriptQueues: readonly SegmentQueue<SegmentRow>[] = [
  { name: 'live', most: mostLive },
  { name: 'asr', most: mostWaiting },
  { name: 'fix', most: mostWaiting },
  { name: 'overlay', most: windowSegments },
];

interface Context {
  readonly fixSeconds: () => number | null;
  /** True if the speech up to the end of the row is recognised, or never will be. */
  readonly isKnown: (row: SegmentRow) => boolean;
  /** Finds where the segment's audio lies on the clock. */
  readonly locate: SegmentStage<SegmentRow>['run'];
  readonly addText: (row: SegmentRow) => SegmentRow;
  /** `keepUp` skips burning in its text because too many rows wait. */
  readonly output: (
    row: SegmentRow,
    work: { readonly keepUp: boolean; readonly signal: AbortSignal },
  ) => ReturnType<SegmentStage<SegmentRow>['run']>;
}

/** Stages of a transcript: a segment waits for its text, rests where that can be edited, and is put out. */
export function transcriptStages(context: Context): readonly SegmentStage<SegmentRow>[] {
  const { fixSeconds, isKnown, locate, addText, output } = context;
  return [
    { name: 'locate', from: 'live', to: 'asr', mode: 'inline', run: locate },
    {
      name: 'add text',
      from: 'asr',
      to: 'fix',
      mode: 'inline',
      isDue: (row, { waiting, waitedMs }) => waiting >= mostWaiting || isKnown(row) || waitedMs > longestAsrMs,
      run: async () => ({ change: (stored) => ({ ...addText(stored), queue: 'fix' }) }),
    },
    {
      name: 'output',
      from: 'fix',
      to: 'overlay',
      mode: 'background',
      isDue: ({ durationMs }, { waiting, waitedMs }) => {
        const seconds = fixSeconds();
        if (waiting >= windowSegments) return true;
        if (seconds !== null) return waitedMs >= seconds * 1000;
        return waiting > restSegments || waitedMs > (restSegments + 1) * durationMs + lastRestMs;
      },
      run: (row, { signal, waiting }) => output(row, { keepUp: waiting >= windowSegments, signal }),
      failure: { tries: mostTries, canRetry: () => true, giveUp: () => ({ change: () => undefined }) },
    },
  ];
}
