import { type FinishedSegment, placeText } from '@weir/dialect';
import { WeirError } from '../../../core/errors.ts';
import { Mutex } from '../../../core/mutex.ts';
import { segmentEndMs } from '../../../pipelines/pipeline-segment.ts';
import { SegmentRows } from '../../../pipelines/segment-rows.ts';
import { placeOnClock } from '../../../pipelines/segment-start.ts';
import type { Cue, Heard } from '../../../speech/cue.ts';
import { cueAt, withCueText, withWholeText } from './edit-text.ts';
import { newSegment, placeInOutput } from './new-segment.ts';
import { PendingCues } from './pending-cues.ts';
import type { PipelineContext } from './pipeline-context.ts';
import type { CueRow, PipelineRow } from './pipeline-repository.ts';
import { type Move, nextMove } from './queue-plan.ts';
import { overlaps, type QueueName, type SegmentRow, segmentIds, shownCues } from './segment-row.ts';

/** Tries to put a segment out, where even passing it on fails: then it is lost. */
const mostTries = 3;

/** Segments of one stream on their way to the output: live, asr, fix, overlay. Never more than a bound in each. */
export class TranscriptPipeline {
  row: PipelineRow;
  lostSegments = 0;
  passedSegments = 0;
  readonly #context: PipelineContext;
  readonly #rows: SegmentRows<SegmentRow>;
  readonly #shelf: PendingCues;
  readonly #turns = new Mutex();
  #making: Promise<void> | undefined;
  #failures = 0;
  #abort = new AbortController();
  #isRunning = false;
  #isLost = false;

  constructor(
    context: PipelineContext,
    row: PipelineRow,
    kept: { segments: readonly SegmentRow[]; cues: readonly CueRow[] },
  ) {
    this.#context = context;
    this.row = row;
    const own = kept.segments.filter(({ lane }) => lane === row.uuid);
    this.#rows = new SegmentRows(context.repository.segments, context.clock, own);
    this.#shelf = new PendingCues({ ...context, lane: row.uuid }, kept.cues);
  }

  get rows(): readonly SegmentRow[] {
    return this.#rows.all;
  }

  queue(name: QueueName): readonly SegmentRow[] {
    return this.#rows.of(name);
  }

  /** Time up to which each publisher's speech is known. */
  get understood(): ReturnType<PendingCues['understood']> {
    return this.#shelf.understood();
  }

  /** An output is being made. */
  get isMaking(): boolean {
    return this.#making !== undefined;
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
    await this.#making;
    await this.#turns.take(async () => undefined);
  }

  /** Kept when this resolves. One that was taken before is taken no second time. */
  take(segment: FinishedSegment): Promise<void> {
    return this.#turns.take(async () => {
      if (this.#rows.find(segment.id)) return;
      const { clock, files, onChange } = this.#context;
      const { epoch } = this.row;
      const facts = { last: this.rows.at(-1), isLost: this.#isLost, atMs: clock.dateMs() };
      const row = newSegment(segment, this.row, facts);
      const bytes = await files.keep(row, segment.file);
      if (row.epoch !== epoch) {
        this.row = { ...this.row, epoch: row.epoch };
        await onChange();
      }
      await this.#rows.put({ ...row, bytes });
      this.#isLost = false;
      await this.#moveAll();
    });
  }

  /** Records a segment that was lost before it arrived. */
  miss(): void {
    this.lostSegments++;
    this.#isLost = true;
  }

  async hear(heard: Heard): Promise<void> {
    // At once: whoever moves segments now knows that all of theirs is said, and would let them go without it.
    this.#shelf.add(heard);
    await this.#turns.take(async () => {
      await this.#shelf.keep(heard);
      // Also what rests already: text that comes late is better than none.
      for (const row of this.#rows.of('fix')) {
        if (!row.isEdited && heard.epoch === row.clientId && overlaps(row, heard))
          await this.#rows.put(this.#withText(row));
      }
      await this.#amend(heard);
      await this.#moveAll();
    });
  }

  /** Time passed. */
  look(): Promise<void> {
    return this.#turns.take(() => this.#moveAll());
  }

  clear(tsid: string): Promise<void> {
    return this.#inFix(tsid, (row) => this.#rows.put({ ...row, isCleared: true }));
  }

  /** Without an index the whole text, as one cue. A cue that other segments hold too is the same there. */
  edit(tsid: string, index: number | undefined, text: string): Promise<void> {
    return this.#inFix(tsid, async (row) => {
      if (index === undefined) return this.#rows.put(withWholeText(row, text));
      const before = cueAt(row, index);
      await this.#shelf.edit(row, before, text);
      for (const other of this.#rows.of('fix').filter(({ clientId }) => clientId === row.clientId)) {
        const edited = withCueText(other, before, text);
        if (edited !== other) await this.#rows.put(edited);
      }
    });
  }

  /** Segments that are older than this are gone with their files. */
  dropOlder(ageMs: number): Promise<void> {
    const limitMs = this.#context.clock.dateMs() - ageMs;
    return this.#turns.take(async () => {
      for (const row of this.rows.filter(({ atMs }) => atMs <= limitMs)) await this.#remove(row);
    });
  }

  /** Removes all rows and files. */
  async empty(): Promise<void> {
    await this.stop();
    await this.dropOlder(Number.NEGATIVE_INFINITY);
    await this.#shelf.clear();
  }

  async #moveAll(): Promise<void> {
    for (let move = this.#next(); move; move = this.#next()) {
      if (move.kind === 'make') this.#make(move);
      else if (move.kind === 'purge') await this.#remove(move.row);
      else if (move.kind === 'drop') await this.#lose(move.row);
      else if (move.kind === 'rest') await this.#rows.put({ ...this.#withText(move.row), queue: 'fix' });
      else await this.#listen(move.row);
    }
  }

  #next(): Move | undefined {
    if (!this.#isRunning) return undefined;
    const { fixSeconds, missed } = this.#context;
    missed.look(this.#rows.of('asr'));
    return nextMove(this.rows, {
      restedMs: (row) => this.#rows.restedMs(row),
      isKnown: (row) => this.#isKnown(row),
      fixSeconds: fixSeconds(),
      isMaking: this.#making !== undefined,
    });
  }

  /** Finds where the segment's audio lies on the clock, and waits for the speech recognition to reach it. */
  async #listen(row: SegmentRow): Promise<void> {
    const { clock, files, speech, log } = this.#context;
    const began = clock.elapsedMs();
    const found = await placeOnClock(files.org(row), row, speech()?.heardUntilMs).catch((error: unknown) => {
      log.warn({ err: error, segment: row.id }, 'a segment could not be read');
    });
    if (!found) return this.#lose(row);
    const { startMs, video, behindMs } = found;
    return this.#rows.put({
      ...row,
      queue: 'asr',
      startMs,
      video,
      eac: Math.round(clock.elapsedMs() - began + behindMs),
    });
  }

  #isKnown(row: SegmentRow): boolean {
    const { missed } = this.#context;
    const speech = this.#context.speech();
    if (!missed.isDone(row)) return false;
    if (speech?.place !== placeText(row)) return true;
    return (speech.knownUntilMs ?? Number.NEGATIVE_INFINITY) >= segmentEndMs(row);
  }

  #withText(row: SegmentRow): SegmentRow {
    return { ...row, cues: this.#shelf.cuesOf(row), asrc: this.#shelf.costOf(row) };
  }

  /** Text of what is put out already: for those who come to it later, for its recording and for whoever searches. */
  async #amend({ epoch, cues }: Heard): Promise<void> {
    for (const row of this.#rows.of('overlay')) {
      const isNew = ({ startMs }: Cue) => row.cues.every((cue) => cue.startMs !== startMs);
      const late = cues.filter((cue) => epoch === row.clientId && overlaps(row, cue) && isNew(cue));
      if (late.length === 0 || row.isEdited || row.isCleared) continue;
      const all = [...row.cues, ...late].sort((a, b) => a.startMs - b.startMs);
      await this.#rows.put({ ...row, cues: all });
      this.#context.onSettled(row, all);
    }
  }

  /** Beside everything else: encoding takes its time. */
  #make({ row, keepUp }: Extract<Move, { kind: 'make' }>): void {
    const { signal } = this.#abort;
    const made = this.#output(row, keepUp, signal).then(
      () => true,
      (error: unknown) => {
        if (signal.aborted) return false;
        this.#context.log.error({ err: error, segment: row.id }, 'a segment could not be added to the output');
        if (++this.#failures < mostTries) return false;
        this.#failures = 0;
        return this.#turns.take(() => this.#lose(row)).then(() => true);
      },
    );
    this.#making = made.then(
      (isDone) => {
        this.#making = undefined;
        // A failed row is retried with the next tick.
        if (isDone) void this.look().catch(() => undefined);
      },
      () => {
        this.#making = undefined;
      },
    );
  }

  async #output(row: SegmentRow, keepUp: boolean, signal: AbortSignal): Promise<void> {
    const { clock, files, maker, onSettled } = this.#context;
    if (!(await files.has(row))) return this.#turns.take(() => this.#lose(row));
    const began = clock.elapsedMs();
    const { bytes, isBurnt, hasPassed } = await maker.make(row, { keepUp, signal });
    signal.throwIfAborted();
    await this.#turns.take(async () => {
      const now = this.#rows.find(row.id);
      // A person may have changed it meanwhile: then it is made again.
      if (!now || (!keepUp && JSON.stringify(shownCues(now)) !== JSON.stringify(shownCues(row)))) return;
      if (hasPassed) this.passedSegments++;
      onSettled(now, shownCues(now));
      const olc = Math.round(clock.elapsedMs() - began);
      const done = { ...now, queue: 'overlay' as const, overlayBytes: bytes, isBurnt, olc };
      await this.#rows.put({ ...done, ...placeInOutput(done, this.#rows.of('overlay').at(-1), this.row) });
      this.#failures = 0;
      const waiting = this.rows.filter(({ queue }) => queue !== 'overlay').map(({ clientId }) => clientId);
      // Text is known before its segment: whoever speaks now may have none yet.
      const speaking = this.#context.speech()?.epoch ?? now.clientId;
      await this.#shelf.forgetBefore(now, new Set([...waiting, now.clientId, speaking]));
    });
  }

  #inFix(tsid: string, change: (row: SegmentRow) => Promise<void>): Promise<void> {
    return this.#turns.take(async () => {
      const row = this.#rows.of('fix').find((one) => Object.values(segmentIds(one)).some((own) => own === tsid));
      if (!row) throw new WeirError('not_found', 'the text of this segment can no longer be edited');
      await change(row);
    });
  }

  /** Drops a row from the output; the next one starts with a discontinuity. */
  async #lose(row: SegmentRow): Promise<void> {
    const next = this.#rows.after(row);
    this.lostSegments++;
    await this.#remove(row);
    if (next) await this.#rows.put({ ...next, isDiscontinuity: true });
    else this.#isLost = true;
  }

  /** The row first: a file without a row is found at the next start. */
  async #remove(row: SegmentRow): Promise<void> {
    const { files, onChange } = this.#context;
    const { number, isDiscontinuity, queue } = row;
    await this.#rows.remove(row);
    await files.remove(row);
    if (queue !== 'overlay' || number === null) return;
    const isLast = this.#rows.of('overlay').length === 0;
    if (!isLast && !isDiscontinuity) return;
    const seamsGone = this.row.seamsGone + (isDiscontinuity ? 1 : 0);
    this.row = { ...this.row, seamsGone, ...(isLast && { nextNumber: number + 1 }) };
    await onChange();
  }
}
