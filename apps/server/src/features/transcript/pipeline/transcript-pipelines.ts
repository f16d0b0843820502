import { randomUUID } from 'node:crypto';
import type { FinishedSegment } from '@weir/engine-api';
import { placeText } from '@weir/streams';
import { Mutex } from '../../../core/mutex.ts';
import type { PipelineContext } from './pipeline-context.ts';
import type { PipelineRow } from './pipeline-repository.ts';
import { TranscriptPipeline } from './transcript-pipeline.ts';

interface Context extends Omit<PipelineContext, 'speech' | 'onChange'> {
  readonly speechOf: (lane: () => TranscriptPipeline) => PipelineContext['speech'];
}

/** Every stream of the task has a lane; the first has the uuid of the task, and is there always. */
export class TranscriptPipelines {
  readonly #context: Context;
  readonly #turns = new Mutex();
  #lanes: TranscriptPipeline[] = [];
  #loaded: Promise<void> | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  get all(): readonly TranscriptPipeline[] {
    return this.#lanes;
  }

  /** Id of the task. */
  get uuid(): string {
    return this.#lanes[0]?.row.uuid ?? '';
  }

  /** Loads the stored rows before anything else. May be repeated after a failure. */
  load(): Promise<void> {
    this.#loaded ??= this.#load().catch((error: unknown) => {
      this.#loaded = undefined;
      throw error;
    });
    return this.#loaded;
  }

  of(uuid: string): TranscriptPipeline | undefined {
    return uuid === '' ? this.#lanes[0] : this.#lanes.find(({ row }) => row.uuid === uuid);
  }

  taking(place: Pick<FinishedSegment, 'vhost' | 'app' | 'stream'>): TranscriptPipeline | undefined {
    return this.#lanes.find(({ row }) => row.place === placeText(place));
  }

  /** A lane for each stream that is wanted; the others go, with all they have. */
  async want(streams: readonly string[]): Promise<void> {
    await this.#turns.take(async () => {
      const [first = '', ...others] = streams.length > 0 ? streams : [''];
      const [main, ...rest] = this.#lanes;
      if (!main) return;
      // Segments of the former stream are no longer accepted, even before the new one is live.
      if (main.row.wanted !== first) main.row = { ...main.row, wanted: first, place: '' };
      const kept = others.map((wanted) => rest.find(({ row }) => row.wanted === wanted) ?? this.#lane(newLane(wanted)));
      const gone = rest.filter((lane) => !kept.includes(lane));
      this.#lanes = [main, ...kept];
      await this.#save();
      for (const lane of gone) await lane.empty();
    });
  }

  /** Changes the stream of a pipeline. */
  async point(lane: TranscriptPipeline, place: string): Promise<void> {
    if (lane.row.place === place) return;
    lane.row = { ...lane.row, place };
    await this.#save();
  }

  /** Deletes all data of the task and starts a new one. */
  async reset(): Promise<void> {
    await this.#turns.take(async () => {
      const gone = this.#lanes;
      this.#lanes = gone.map(({ row }) => this.#lane(newLane(row.wanted)));
      await this.#save();
      for (const lane of gone) await lane.empty();
    });
  }

  async #load(): Promise<void> {
    const { repository, files, log } = this.#context;
    const { lanes } = await repository.task.first(() => ({ lanes: [newLane('')] }));
    const [segments, cues] = [await repository.segments.all(), await repository.cues()];
    const own = new Set(lanes.map(({ uuid }) => uuid));
    // A process that was killed while it removed a lane leaves some of it.
    for (const row of segments.filter(({ lane }) => !own.has(lane))) await repository.segments.remove(row);
    for (const cue of cues.filter(({ lane }) => !own.has(lane))) await repository.removeCue(cue);
    const swept = await files.sweep(segments.filter(({ lane }) => own.has(lane)));
    if (swept > 0) log.info({ files: swept }, 'unused files removed');
    this.#lanes = lanes.map((row) => this.#lane(row, { segments, cues }));
  }

  #lane(
    row: PipelineRow,
    kept: ConstructorParameters<typeof TranscriptPipeline>[2] = { segments: [], cues: [] },
  ): TranscriptPipeline {
    const { speechOf, ...context } = this.#context;
    const own = { speech: speechOf(() => lane), onChange: () => this.#save() };
    const lane: TranscriptPipeline = new TranscriptPipeline({ ...context, ...own }, row, kept);
    return lane;
  }

  /** A lane that was taken out of the list may still change. */
  #save(): Promise<void> {
    return this.#context.repository.putLanes(this.#lanes.map(({ row }) => row));
  }
}

function newLane(wanted: string): PipelineRow {
  return { uuid: randomUUID(), wanted, place: '', epoch: 0, nextNumber: null, seamsGone: 0 };
}
