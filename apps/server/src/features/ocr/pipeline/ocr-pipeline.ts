import { ocrLimits } from '@weir/contract';
import { type FinishedSegment, placeText } from '@weir/dialect';
import type { Log } from '@weir/plane';
import { Mutex } from '../../../core/mutex.ts';
import { enteringSegment } from '../../../pipelines/pipeline-segment.ts';
import { SegmentRows } from '../../../pipelines/segment-rows.ts';
import { nextMove, type OcrStage } from './ocr-plan.ts';
import { newTask, type OcrRepository, type TaskRow } from './ocr-repository.ts';
import { OcrRow, type QueueName } from './ocr-row.ts';
import { OcrStages, type StagesContext, type Step } from './ocr-stages.ts';
import { Tally } from './tally.ts';

interface LineContext extends StagesContext {
  readonly repository: OcrRepository;
  readonly log: Log;
}

/** Before the second try of something, and twice as long before each that follows. */
const retryMs = 1000;

/** Segments on their way: live, ocr, callback, cleanup. Never more than a bound in each, and each ends as a decision. */
export class OcrPipeline {
  tally: Tally;
  readonly #context: LineContext;
  readonly #stages: OcrStages;
  #rows: SegmentRows<OcrRow>;
  #task: TaskRow = newTask();
  /** The segment that came last: most are gone before the next one comes. */
  #last: OcrRow | undefined;
  #loaded: Promise<void> | undefined;
  readonly #turns = new Mutex();
  readonly #busy = new Map<OcrStage, Promise<void>>();
  /** Failed segments: number of attempts and time of the next one. */
  readonly #tries = new Map<string, { readonly count: number; readonly atMs: number }>();
  #abort = new AbortController();
  #isRunning = false;

  constructor(context: LineContext) {
    this.#context = context;
    this.#stages = new OcrStages(context);
    this.#rows = new SegmentRows(context.repository.segments, context.clock, []);
    this.tally = new Tally(context.clock);
  }

  get uuid(): string {
    return this.#task.uuid;
  }

  /** `vhost/app/name` of what it takes. */
  get place(): string {
    return this.#task.place;
  }

  get rows(): readonly OcrRow[] {
    return this.#rows.all;
  }

  queue(name: QueueName): readonly OcrRow[] {
    return this.#rows.of(name);
  }

  /** Counts of all segments by result and queue. Taken between two changes, so that the numbers add up. */
  numbers() {
    return this.#turns.take(async () => {
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
    return this.#busy.size > 0;
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
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#abort = new AbortController();
  }

  /** Stops processing; rows stay in their queues. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#abort.abort();
    while (this.#busy.size > 0) await Promise.all(this.#busy.values());
    await this.#turns.take(async () => undefined);
  }

  /** The next picture is read, whatever it shows. */
  again(): void {
    this.#stages.again();
  }

  /** Changes the stream that is read. */
  async point(place: string): Promise<void> {
    await this.#turns.take(async () => {
      if (this.#task.place !== place) await this.#save({ ...this.#task, place });
    });
  }

  /** Kept when this resolves. One that was taken before is taken no second time. */
  take(segment: FinishedSegment): Promise<void> {
    return this.#turns.take(async () => {
      if (this.#rows.find(segment.id)) return;
      const { clock, files } = this.#context;
      const facts = { last: this.#last, epoch: this.#task.epoch, atMs: clock.dateMs() };
      const row = OcrRow.parse({ ...enteringSegment(segment, facts), queue: 'live' });
      const bytes = await files.keep(row, segment.file);
      if (row.epoch !== this.#task.epoch) await this.#save({ ...this.#task, epoch: row.epoch });
      await this.#rows.put({ ...row, bytes });
      this.#last = row;
      this.tally.taken++;
      await this.#moveAll();
    });
  }

  /** Records a segment that was lost before it arrived. */
  miss(segment: FinishedSegment): void {
    if (placeText(segment) !== this.place) return;
    this.tally.taken++;
    this.tally.skip('dropped');
  }

  /** Time passed, or something is done. */
  look(): Promise<void> {
    return this.#turns.take(() => this.#moveAll());
  }

  /** Segments that are older than this are gone with their files. While it runs the last result stays: nothing may change for hours. */
  dropOlder(ageMs: number): Promise<void> {
    const limitMs = this.#context.clock.dateMs() - ageMs;
    return this.#turns.take(async () => {
      const last = this.#isRunning ? this.#rows.of('cleanup').at(-1) : undefined;
      for (const row of this.rows) if (row.atMs <= limitMs && row !== last) await this.#drop(row);
    });
  }

  /** Deletes all data of the task and starts a new one. */
  async reset(): Promise<void> {
    await this.stop();
    await this.#turns.take(async () => {
      await this.#save({ ...newTask(), place: this.#task.place });
      for (const row of this.rows) await this.#remove(row);
      this.#stages.forget();
      this.#last = undefined;
      this.tally = new Tally(this.#context.clock);
    });
  }

  async #load(): Promise<void> {
    const { repository, files, clock, log } = this.#context;
    this.#task = await repository.task.first(newTask);
    const kept = await repository.segments.all();
    const swept = await files.sweep(kept);
    if (swept > 0) log.info({ files: swept }, 'unused files removed');
    this.#rows = new SegmentRows(repository.segments, clock, kept);
    this.#last = kept.at(-1);
    this.tally.taken = kept.filter(({ outcome }) => outcome === null).length;
  }

  async #moveAll(): Promise<void> {
    for (let move = this.#next(); move; move = this.#next()) {
      const { kind, row } = move;
      if (kind === 'purge') await this.#remove(row);
      else if (kind === 'drop') await this.#drop(row);
      else this.#begin(kind, row);
    }
  }

  #next() {
    if (!this.#isRunning) return undefined;
    const nowMs = this.#context.clock.elapsedMs();
    return nextMove(this.rows, {
      isBusy: (stage) => this.#busy.has(stage),
      isReady: ({ id }) => (this.#tries.get(id)?.atMs ?? nowMs) <= nowMs,
    });
  }

  /** Beside everything else: programs, models and receivers take their time. */
  #begin(stage: OcrStage, row: OcrRow): void {
    const { signal } = this.#abort;
    const ended = this.#work(stage, row, signal)
      .catch((error: unknown) => (signal.aborted ? undefined : this.#afterFailure(stage, row, error)))
      .then((step) => step && this.#turns.take(() => this.#finish(row, step)))
      .catch((error: unknown) => {
        this.#context.log.error({ err: error, segment: row.id }, 'a segment could not be updated');
        this.#tries.set(row.id, { count: 1, atMs: this.#context.clock.elapsedMs() + retryMs });
      })
      .then(() => {
        this.#busy.delete(stage);
        void this.look().catch(() => undefined);
      });
    this.#busy.set(stage, ended);
  }

  #work(stage: OcrStage, row: OcrRow, signal: AbortSignal): Promise<Step> {
    if (stage === 'take') return this.#stages.take(row, signal, !this.#tries.has(row.id));
    if (stage === 'read') return this.#stages.read(row, signal);
    return this.#stages.tell(row, signal, (told) =>
      this.#turns.take(async () => (this.#rows.find(told.id) ? this.#rows.put(told) : undefined)),
    );
  }

  /** Undefined: it is tried again later. What is read already is told for as long as it takes. */
  #afterFailure(stage: OcrStage, row: OcrRow, error: unknown): Step | undefined {
    const { log, clock } = this.#context;
    const count = (this.#tries.get(row.id)?.count ?? 0) + 1;
    const isLast = count >= ocrLimits.tries || !this.#stages.canRetry(error);
    log.warn({ err: error, segment: row.id, stage, count }, 'a segment could not be processed');
    if (isLast && stage !== 'tell') return this.#stages.giveUp(stage, row, error);
    const pauseMs = retryMs * 2 ** Math.min(5, count - 1);
    this.#tries.set(row.id, { count, atMs: clock.elapsedMs() + pauseMs });
    return undefined;
  }

  async #finish(before: OcrRow, { row, count }: Step): Promise<void> {
    // The row may have been removed meanwhile; its files must go too.
    if (!this.#rows.find(before.id)) return this.#context.files.remove(before);
    if (row) await this.#rows.put(row);
    else await this.#remove(before);
    this.#tries.delete(before.id);
    count?.(this.tally);
  }

  async #drop(row: OcrRow): Promise<void> {
    await this.#remove(row);
    if (row.outcome === null) this.tally.skip('dropped');
  }

  /** The row first: a file without a row is found at the next start. */
  async #remove(row: OcrRow): Promise<void> {
    await this.#rows.remove(row);
    this.#tries.delete(row.id);
    this.#stages.drop(row);
    await this.#context.files.remove(row);
  }

  async #save(task: TaskRow): Promise<void> {
    await this.#context.repository.task.put(task);
    this.#task = task;
  }
}
