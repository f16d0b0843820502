import * as z from 'zod';
import type { Collection, Store } from '../../../core/store/store.ts';
import { rowShelf } from '../../../pipelines/segment-rows.ts';
import { Cue } from '../../../speech/cue.ts';
import { SegmentRow } from './segment-row.ts';

/** Stored state of one stream of the task. */
export const PipelineRow = z.object({
  /** Id in the URLs of its outputs. */
  uuid: z.uuid(),
  /** Chosen stream; empty for the newest. */
  wanted: z.string(),
  /** Stream that it reads or read last, as `vhost/app/name`. */
  place: z.string().default(''),
  epoch: z.int().default(0),
  /** Next segment number of the output; null before the first. Existing segments take precedence. */
  nextNumber: z.int().nullable().default(null),
  /** Discontinuities that left the output. */
  seamsGone: z.int().default(0),
});
export type PipelineRow = z.output<typeof PipelineRow>;

/** The first lane has the uuid of the task. */
const TaskRow = z.object({ lanes: z.array(PipelineRow).min(1) });

/** Text whose segment has not come yet, or still waits. */
const CueRow = Cue.extend({ lane: z.uuid(), epoch: z.string() });
export type CueRow = z.output<typeof CueRow>;

/** Stored state of a pipeline. Only changes are written. */
export class PipelineRepository {
  readonly task;
  readonly segments;
  readonly #cues: Collection<CueRow>;

  constructor(store: Store) {
    this.task = store.single('transcript/task', TaskRow);
    this.segments = rowShelf(store.collection('transcript-segments', SegmentRow));
    this.#cues = store.collection('transcript-cues', CueRow);
  }

  async cues(): Promise<CueRow[]> {
    return (await this.#cues.list()).map(({ value }) => value).sort((a, b) => a.startMs - b.startMs);
  }

  putCue(cue: CueRow): Promise<void> {
    return this.#cues.put(cueKey(cue), cue);
  }

  async removeCue(cue: CueRow): Promise<void> {
    await this.#cues.delete(cueKey(cue));
  }

  putLanes(lanes: readonly PipelineRow[]): Promise<void> {
    return this.task.put({ lanes: [...lanes] });
  }
}

function cueKey({ lane, epoch, startMs }: CueRow): string {
  return [lane, epoch, Math.round(startMs)].join(' ');
}
