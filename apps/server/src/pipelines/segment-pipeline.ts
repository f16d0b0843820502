import type { FinishedSegment } from '@weir/engine-api';
import type { Log } from '@weir/plane';
import type { Clock } from '../core/clock.ts';
import { Mutex } from '../core/mutex.ts';
import { nextMove, type PlannedStage, type SegmentQueue } from './segment-plan.ts';
import { type QueuedSegment, type RowShelf, SegmentRows } from './segment-rows.ts';

/** Result of a stage, applied while nothing else changes. */
export interface Step<Row> {
  /** From the stored row, which may have changed since the stage began, to the new one. Undefined: it leaves the pipeline. */
  readonly change: (stored: Row) => Row | undefined;
  readonly onStored?: (row: Row | undefined) => void | Promise<void>;
}

interface Work {
  readonly signal: AbortSignal;
  /** Segments in the queue when the stage began. */
  readonly waiting: number;
  readonly isFirstTry: boolean;
}

/** One step of every segment on its way, in the order of the queues. */
export interface SegmentStage<Row extends QueuedSegment> extends PlannedStage<Row> {
  /** `inline`: takes milliseconds, and everything else waits. `background`: programs, models and receivers take their time. */
  readonly mode: 'inline' | 'background';
  readonly run: (row: Row, work: Work) => Promise<Step<Row>>;
  /** Handling of failures in a background stage; without it a segment is tried for as long as it takes. */
  readonly failure?: Failure<Row>;
}

interface Failure<Row> {
  readonly tries: number;
  readonly canRetry: (error: unknown) => boolean;
  /** After the last try. */
  readonly giveUp: (row: Row, error: unknown) => Step<Row>;
}

/** Why a row left: shown long enough, no room, too old, or by the result of a stage. */
export type RemovalReason = 'purged' | 'surplus' | 'old' | 'ended';

interface PipelineDefinition<Row extends QueuedSegment> {
  readonly queues: readonly SegmentQueue<Row>[];
  readonly stages: readonly SegmentStage<Row>[];
  readonly shelf: RowShelf<Row>;
  readonly files: { keep(row: Row, file: string): Promise<number>; remove(row: Row): Promise<void> };
  readonly clock: Clock;
  readonly log: Log;
  /** Row of a segment that arrives. */
  readonly enter: (segment: FinishedSegment) => Row;
  /** Stores what the task must know before the row is stored. */
  readonly onEnter: (row: Row) => Promise<void>;
  readonly onEntered: (row: Row) => void;
  /** `next`: the row behind it. */
  readonly onRemoved: (row: Row, reason: RemovalReason, next: Row | undefined) => void | Promise<void>;
  /** Called before every look for the next move. */
  readonly onPlan?: () => void;
}

/** Before the second try of something, and twice as long before each that follows. */
const retryMs = 1000;

/** Segments of a stream on their way through queues, never more than a bound in each. Rows and files survive the process. */
export class SegmentPipeline<Row extends QueuedSegment> {
  readonly rows: SegmentRows<Row>;
  readonly #definition: PipelineDefinition<Row>;
  readonly #mutex = new Mutex();
  readonly #busy = new Map<SegmentStage<Row>, Promise<void>>();
  /** Failed segments: number of attempts and time of the next one. */
  readonly #tries = new Map<string, { readonly count: number; readonly atMs: number }>();
  #abort = new AbortController();
  #isRunning = false;

  constructor(definition: PipelineDefinition<Row>, stored: readonly Row[]) {
    this.#definition = definition;
    this.rows = new SegmentRows(definition.shelf, definition.clock, stored);
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** A background stage works. */
  get isBusy(): boolean {
    return this.#busy.size > 0;
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
    await this.exclusive(async () => undefined);
  }

  /** Stored when this resolves. A segment that was added before is not added again. */
  add(segment: FinishedSegment): Promise<void> {
    return this.exclusive(async () => {
      if (this.rows.find(segment.id)) return;
      const { files, enter, onEnter, onEntered } = this.#definition;
      const row = enter(segment);
      const bytes = await files.keep(row, segment.file);
      await onEnter(row);
      await this.rows.put({ ...row, bytes });
      onEntered(row);
      await this.#moveAll();
    });
  }

  /** Moves what can move: time passed, or something changed. */
  advance(): Promise<void> {
    return this.exclusive(() => this.#moveAll());
  }

  /** Runs while no segment moves. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.#mutex.take(work);
  }

  /** Removes segments that are older than this, with their files. */
  dropOlder(ageMs: number, isKept: (row: Row) => boolean = () => false): Promise<void> {
    const limitMs = this.#definition.clock.dateMs() - ageMs;
    return this.exclusive(async () => {
      const old = this.rows.all.filter((row) => row.atMs <= limitMs && !isKept(row));
      for (const row of old) await this.#remove(row, 'old');
    });
  }

  async #moveAll(): Promise<void> {
    for (let move = this.#next(); move; move = this.#next()) {
      const { row } = move;
      if (move.kind !== 'work') await this.#remove(row, move.kind === 'purge' ? 'purged' : 'surplus');
      else if (move.stage.mode === 'background') this.#begin(move.stage, row, move.waiting);
      else await this.#apply(row, await move.stage.run(row, this.#work(row, move.waiting)));
    }
  }

  #next() {
    if (!this.#isRunning) return undefined;
    const { queues, stages, clock, onPlan } = this.#definition;
    onPlan?.();
    const nowMs = clock.elapsedMs();
    return nextMove(this.rows.all, {
      queues,
      stages,
      isBusy: (stage) => this.#busy.has(stage),
      isReady: ({ id }) => (this.#tries.get(id)?.atMs ?? nowMs) <= nowMs,
      waitedMs: (row) => this.rows.waitedMs(row),
    });
  }

  #work(row: Row, waiting: number): Work {
    return { signal: this.#abort.signal, waiting, isFirstTry: !this.#tries.has(row.id) };
  }

  #begin(stage: SegmentStage<Row>, row: Row, waiting: number): void {
    const work = this.#work(row, waiting);
    const ended = stage
      .run(row, work)
      .catch((error: unknown) => (work.signal.aborted ? undefined : this.#afterFailure(stage, row, error)))
      .then((step) => step && this.exclusive(() => this.#apply(row, step)))
      .catch((error: unknown) => {
        this.#definition.log.error({ err: error, segment: row.id }, 'a segment could not be updated');
        this.#retryLater(row, 1);
      })
      .then(() => {
        this.#busy.delete(stage);
        void this.advance().catch(() => undefined);
      });
    this.#busy.set(stage, ended);
  }

  /** Undefined: it is tried again later. */
  #afterFailure({ name, failure }: SegmentStage<Row>, row: Row, error: unknown): Step<Row> | undefined {
    const count = (this.#tries.get(row.id)?.count ?? 0) + 1;
    this.#definition.log.warn({ err: error, segment: row.id, stage: name, count }, 'a segment could not be processed');
    if (failure && (count >= failure.tries || !failure.canRetry(error))) return failure.giveUp(row, error);
    this.#retryLater(row, count);
    return undefined;
  }

  #retryLater({ id }: Row, count: number): void {
    const pauseMs = retryMs * 2 ** Math.min(5, count - 1);
    this.#tries.set(id, { count, atMs: this.#definition.clock.elapsedMs() + pauseMs });
  }

  async #apply(before: Row, { change, onStored }: Step<Row>): Promise<void> {
    const stored = this.rows.find(before.id);
    // The row may have been removed meanwhile; its files must go too.
    if (!stored) return this.#definition.files.remove(before);
    const row = change(stored);
    if (!row) await this.#remove(stored, 'ended');
    else if (row !== stored) await this.rows.put(row);
    this.#tries.delete(before.id);
    await onStored?.(row);
  }

  /** The row first: a file without a row is found at the next start. */
  async #remove(row: Row, reason: RemovalReason): Promise<void> {
    const { files, onRemoved } = this.#definition;
    const next = this.rows.after(row);
    await this.rows.remove(row);
    this.#tries.delete(row.id);
    await files.remove(row);
    await onRemoved(row, reason, next);
  }
}
