import type { FinishedSegment } from '@weir/engine-api';
import type { Log } from '@weir/plane';
import { placeText } from '@weir/streams';
import { enteringSegment } from '../../../pipelines/pipeline-segment.ts';
import { type RemovalReason, SegmentPipeline } from '../../../pipelines/segment-pipeline.ts';
import { newTask, type OcrRepository, type TaskRow } from './ocr-repository.ts';
import { OcrRow, type QueueName } from './ocr-row.ts';
import { OcrStages, ocrQueues, type StagesContext } from './ocr-stages.ts';
import { ResultCounts } from './result-counts.ts';

interface Context extends Omit<StagesContext, 'onTold' | 'tally'> {
  readonly repository: OcrRepository;
  readonly log: Log;
}

/** Segments of the stream that is read: live, ocr, callback, cleanup. Each ends as a decision, which is counted. */
export class OcrPipeline {
  tally: ResultCounts;
  readonly #context: Context;
  readonly #stages: OcrStages;
  #pipeline: SegmentPipeline<OcrRow>;
  #task: TaskRow = newTask();
  /** Last segment; most are removed before the next one arrives. */
  #last: OcrRow | undefined;
  #loaded: Promise<void> | undefined;

  constructor(context: Context) {
    this.#context = context;
    this.#stages = new OcrStages({
      ...context,
      onTold: (row) => this.#store(row),
      tally: () => this.tally,
    });
    this.#pipeline = this.#open([]);
    this.tally = new ResultCounts(context.clock);
  }

  get uuid(): string {
    return this.#task.uuid;
  }

  /** Stream that it reads, as `vhost/app/name`. */
  get place(): string {
    return this.#task.place;
  }

  get rows(): readonly OcrRow[] {
    return this.#pipeline.rows.all;
  }

  queue(name: QueueName): readonly OcrRow[] {
    return this.#pipeline.rows.of(name);
  }

  /** Counts of all segments by result and queue. Taken between two changes, so that the numbers add up. */
  numbers() {
    return this.#pipeline.exclusive(async () => {
      const { taken, called, skipped, failed, cause, readAt } = this.tally;
      const count = (name: QueueName) => this.queue(name).length;
      return {
        taken,
        called,
        skipped: { ...skipped },
        failed,
        cause,
        readAt,
        live: count('live'),
        ocr: count('ocr'),
        callback: count('callback'),
        cleanup: count('cleanup'),
      };
    });
  }

  get isBusy(): boolean {
    return this.#pipeline.isBusy;
  }

  /** Loads the stored rows before anything else. May be repeated after a failure. */
  load(): Promise<void> {
    this.#loaded ??= this.#load().catch((error: unknown) => {
      this.#loaded = undefined;
      throw error;
    });
    return this.#loaded;
  }

  start(): void {
    this.#pipeline.start();
  }

  /** Stops processing; rows stay in their queues. */
  stop(): Promise<void> {
    return this.#pipeline.stop();
  }

  /** Makes the next picture be read even if it looks like the last. */
  again(): void {
    this.#stages.again();
  }

  /** Changes the stream that is read. */
  async point(place: string): Promise<void> {
    await this.#pipeline.exclusive(async () => {
      if (this.#task.place !== place) await this.#save({ ...this.#task, place });
    });
  }

  /** Stored when this resolves. A segment that was added before is not added again. */
  add(segment: FinishedSegment): Promise<void> {
    return this.#pipeline.add(segment);
  }

  /** Records a segment that was lost before it arrived. */
  miss(segment: FinishedSegment): void {
    if (placeText(segment) !== this.place) return;
    this.tally.taken++;
    this.tally.skip('dropped');
  }

  advance(): Promise<void> {
    return this.#pipeline.advance();
  }

  /** While it runs the last result stays: nothing may change for hours. */
  dropOlder(ageMs: number): Promise<void> {
    const isLast = (row: OcrRow) => row === this.queue('cleanup').at(-1);
    return this.#pipeline.dropOlder(ageMs, (row) => this.#pipeline.isRunning && isLast(row));
  }

  /** Deletes all data of the task and starts a new one. */
  async reset(): Promise<void> {
    await this.stop();
    await this.#pipeline.exclusive(() => this.#save({ ...newTask(), place: this.#task.place }));
    await this.#pipeline.dropOlder(Number.NEGATIVE_INFINITY);
    this.#stages.forget();
    this.#last = undefined;
    this.tally = new ResultCounts(this.#context.clock);
  }

  async #load(): Promise<void> {
    const { repository, files, log } = this.#context;
    this.#task = await repository.task.first(newTask);
    const stored = await repository.segments.all();
    const swept = await files.sweep(stored);
    if (swept > 0) log.info({ files: swept }, 'unused files removed');
    this.#pipeline = this.#open(stored);
    this.#last = stored.at(-1);
    this.tally.taken = stored.filter(({ outcome }) => outcome === null).length;
  }

  #open(stored: readonly OcrRow[]): SegmentPipeline<OcrRow> {
    const { repository, files, clock, log } = this.#context;
    return new SegmentPipeline<OcrRow>(
      {
        queues: ocrQueues,
        stages: this.#stages.all,
        shelf: repository.segments,
        files,
        clock,
        log,
        enter: (segment) => {
          const facts = { last: this.#last, epoch: this.#task.epoch, atMs: clock.dateMs() };
          return OcrRow.parse({ ...enteringSegment(segment, facts), queue: 'live' });
        },
        onEnter: async ({ epoch }) => {
          if (epoch !== this.#task.epoch) await this.#save({ ...this.#task, epoch });
        },
        onEntered: (row) => {
          this.#last = row;
          this.tally.taken++;
        },
        onRemoved: (row, reason) => this.#removed(row, reason),
      },
      stored,
    );
  }

  #removed(row: OcrRow, reason: RemovalReason): void {
    this.#stages.drop(row);
    if ((reason === 'surplus' || reason === 'old') && row.outcome === null) this.tally.skip('dropped');
  }

  #store(row: OcrRow): Promise<void> {
    const { rows } = this.#pipeline;
    return this.#pipeline.exclusive(async () => (rows.find(row.id) ? rows.put(row) : undefined));
  }

  async #save(task: TaskRow): Promise<void> {
    await this.#context.repository.task.put(task);
    this.#task = task;
  }
}
