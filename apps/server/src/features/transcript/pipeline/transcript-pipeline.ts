import type { FinishedSegment } from '@weir/engine-api';
import { placeText } from '@weir/streams';
import { WeirError } from '../../../core/errors.ts';
import { enteringSegment, isSameRun, segmentEndMs } from '../../../pipelines/pipeline-segment.ts';
import { type RemovalReason, SegmentPipeline, type Step } from '../../../pipelines/segment-pipeline.ts';
import { placeOnClock } from '../../../pipelines/segment-start.ts';
import type { Cue, Heard } from '../../../speech/cue.ts';
import { breakLongLines } from '../../../speech/cue-lines.ts';
import { PendingCues } from './pending-cues.ts';
import type { PipelineContext } from './pipeline-context.ts';
import type { CueRow, PipelineRow } from './pipeline-repository.ts';
import { overlaps, type QueueName, type SegmentRow, segmentIds, shownCues } from './segment-row.ts';
import { type SpokenLine, TranscriptLines } from './transcript-lines.ts';
import { transcriptQueues, transcriptStages } from './transcript-stages.ts';

/** Segments of one stream on their way to the output: live, asr, fix, overlay. */
export class TranscriptPipeline {
  row: PipelineRow;
  lostSegments = 0;
  passedSegments = 0;
  readonly #context: PipelineContext;
  readonly #pipeline: SegmentPipeline<SegmentRow>;
  readonly #shelf: PendingCues;
  readonly #lines = new TranscriptLines();
  #isLost = false;

  constructor(
    context: PipelineContext,
    row: PipelineRow,
    kept: { segments: readonly SegmentRow[]; cues: readonly CueRow[] },
  ) {
    this.#context = context;
    this.row = row;
    const own = kept.segments.filter(({ lane }) => lane === row.uuid);
    this.#pipeline = this.#open(own);
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

  /** Running transcript, oldest first. */
  get lines(): readonly SpokenLine[] {
    return this.#lines.list(this.rows, this.#shelf.heard);
  }

  /** An output is being made. */
  get isMaking(): boolean {
    return this.#pipeline.isBusy;
  }

  start(): void {
    this.#pipeline.start();
  }

  /** Stops processing; rows stay in their queues. */
  stop(): Promise<void> {
    return this.#pipeline.stop();
  }

  /** Stored when this resolves. A segment that was added before is not added again. */
  add(segment: FinishedSegment): Promise<void> {
    return this.#pipeline.add(segment);
  }

  /** Records a segment that was lost before it arrived. */
  miss(): void {
    this.lostSegments++;
    this.#isLost = true;
  }

  async hear(heard: Heard): Promise<void> {
    // Updated at once: otherwise the segments would be moved on without their text.
    this.#shelf.add(heard);
    await this.#pipeline.exclusive(async () => {
      await this.#shelf.keep(heard);
      // Includes segments that wait for corrections: late text is better than none.
      for (const row of this.#rows.of('fix')) {
        if (!row.isEdited && heard.epoch === row.clientId && overlaps(row, heard))
          await this.#rows.put(this.#withText(row));
      }
      await this.#amend(heard);
    });
    await this.advance();
  }

  advance(): Promise<void> {
    return this.#pipeline.advance();
  }

  clear(tsid: string): Promise<void> {
    return this.#inFix(tsid, (row) => this.#rows.put({ ...row, isCleared: true }));
  }

  /** Without an index the whole text, as one cue. A cue that other segments hold too is the same there. */
  edit(tsid: string, index: number | undefined, wanted: string): Promise<void> {
    const text = breakLongLines(wanted);
    return this.#inFix(tsid, async (row) => {
      if (index === undefined) {
        const whole = withWholeText(row, text);
        for (const cue of whole.cues) this.#lines.correct(row.clientId, cue);
        return this.#rows.put(whole);
      }
      const before = cueAt(row, index);
      this.#lines.correct(row.clientId, before);
      await this.#shelf.edit(row, before, text);
      for (const other of this.#rows.of('fix').filter(({ clientId }) => clientId === row.clientId)) {
        const edited = withCueText(other, before, text);
        if (edited !== other) await this.#rows.put(edited);
      }
    });
  }

  dropOlder(ageMs: number): Promise<void> {
    return this.#pipeline.dropOlder(ageMs);
  }

  /** Removes all rows and files. */
  async empty(): Promise<void> {
    await this.stop();
    await this.dropOlder(Number.NEGATIVE_INFINITY);
    await this.#shelf.clear();
  }

  get #rows() {
    return this.#pipeline.rows;
  }

  #open(stored: readonly SegmentRow[]): SegmentPipeline<SegmentRow> {
    const { repository, files, clock, log, speech, fixSeconds, onChange } = this.#context;
    const stages = transcriptStages({
      fixSeconds,
      isKnown: (row) => this.#isKnown(row),
      locate: (row) => this.#locate(row),
      addText: (row) => this.#withText(row),
      output: (row, work) => this.#output(row, work),
    });
    return new SegmentPipeline<SegmentRow>(
      {
        queues: transcriptQueues,
        stages,
        shelf: repository.segments,
        files,
        clock,
        log,
        enter: (segment) => {
          const facts = { last: this.rows.at(-1), isLost: this.#isLost, atMs: clock.dateMs() };
          return newSegment(segment, this.row, facts);
        },
        onEnter: async ({ epoch }) => {
          if (epoch === this.row.epoch) return;
          this.row = { ...this.row, epoch };
          await onChange();
        },
        onEntered: () => {
          this.#isLost = false;
        },
        onRemoved: (row, reason, next) => this.#removed(row, reason, next),
        onPlan: () => speech.catchUp(this.#rows.of('asr')),
      },
      stored,
    );
  }

  async #locate(row: SegmentRow): Promise<Step<SegmentRow>> {
    const { clock, files, speech, log } = this.#context;
    const began = clock.elapsedMs();
    const found = await placeOnClock(files.org(row), row, speech.state()?.heardUntilMs).catch((error: unknown) => {
      log.warn({ err: error, segment: row.id }, 'a segment could not be read');
    });
    if (!found) return { change: () => undefined };
    const { startMs, video, behindMs } = found;
    const eac = Math.round(clock.elapsedMs() - began + behindMs);
    return { change: (stored) => ({ ...stored, queue: 'asr', startMs, video, eac }) };
  }

  #isKnown(row: SegmentRow): boolean {
    const { speech } = this.#context;
    if (!speech.isCaughtUp(row)) return false;
    const state = speech.state();
    if (state?.place !== placeText(row)) return true;
    return (state.knownUntilMs ?? Number.NEGATIVE_INFINITY) >= segmentEndMs(row);
  }

  #withText(row: SegmentRow): SegmentRow {
    return { ...row, cues: this.#shelf.cuesOf(row), asrc: this.#shelf.costOf(row) };
  }

  /** Text of segments that are already published: for late viewers, recordings and search. */
  async #amend({ epoch, cues }: Heard): Promise<void> {
    for (const row of this.#rows.of('overlay')) {
      const isNew = ({ startMs }: Cue) => row.cues.every((cue) => cue.startMs !== startMs);
      const late = cues.filter((cue) => epoch === row.clientId && overlaps(row, cue) && isNew(cue));
      if (late.length === 0 || row.isEdited || row.isCleared) continue;
      const all = [...row.cues, ...late].sort((a, b) => a.startMs - b.startMs);
      await this.#rows.put({ ...row, cues: all });
      this.#context.output.settled(row, all);
    }
  }

  async #output(row: SegmentRow, work: { keepUp: boolean; signal: AbortSignal }): Promise<Step<SegmentRow>> {
    const { clock, files, output } = this.#context;
    if (!(await files.has(row))) return { change: () => undefined };
    const began = clock.elapsedMs();
    const { bytes, isBurnt, hasPassed } = await output.make(row, work);
    work.signal.throwIfAborted();
    const olc = Math.round(clock.elapsedMs() - began);
    return {
      change: (stored) => {
        // If a person has changed the text since, the output is made again.
        const isChanged = JSON.stringify(shownCues(stored)) !== JSON.stringify(shownCues(row));
        if (isChanged && !work.keepUp) return stored;
        output.settled(stored, shownCues(stored));
        const done = { ...stored, queue: 'overlay' as const, overlayBytes: bytes, isBurnt, olc };
        return { ...done, ...placeInOutput(done, this.#rows.of('overlay').at(-1), this.row) };
      },
      onStored: async (stored) => {
        if (stored?.queue !== 'overlay') return;
        if (hasPassed) this.passedSegments++;
        await this.#forgetCuesBefore(stored);
      },
    };
  }

  async #forgetCuesBefore(row: SegmentRow): Promise<void> {
    const waiting = this.rows.filter(({ queue }) => queue !== 'overlay').map(({ clientId }) => clientId);
    // Text may arrive before its segment.
    const speaking = this.#context.speech.state()?.epoch ?? row.clientId;
    await this.#shelf.forgetBefore(row, new Set([...waiting, row.clientId, speaking]));
  }

  #inFix(tsid: string, change: (row: SegmentRow) => Promise<void>): Promise<void> {
    return this.#pipeline.exclusive(async () => {
      const row = this.#rows.of('fix').find((one) => Object.values(segmentIds(one)).some((own) => own === tsid));
      if (!row) throw new WeirError('not_found', 'the text of this segment can no longer be edited');
      await change(row);
    });
  }

  /** A segment that is lost to the output makes the next one start with a discontinuity. */
  async #removed(row: SegmentRow, reason: RemovalReason, next: SegmentRow | undefined): Promise<void> {
    const { number, isDiscontinuity, queue } = row;
    if (reason === 'surplus' || reason === 'ended') {
      this.lostSegments++;
      if (next) await this.#rows.put({ ...next, isDiscontinuity: true });
      else this.#isLost = true;
    }
    if (queue === 'overlay') this.#lines.keep(row);
    if (queue !== 'overlay' || number === null) return;
    const isLast = this.#rows.of('overlay').length === 0;
    if (!isLast && !isDiscontinuity) return;
    const seamsGone = this.row.seamsGone + (isDiscontinuity ? 1 : 0);
    this.row = { ...this.row, seamsGone, ...(isLast && { nextNumber: number + 1 }) };
    await this.#context.onChange();
  }
}

interface Before {
  /** The segment before it, if that is still there. */
  readonly last: SegmentRow | undefined;
  /** True if a segment between the two was lost or dropped. */
  readonly isLost: boolean;
  readonly atMs: number;
}

/** A new segment of a pipeline. Another publisher or stream begins an epoch. */
function newSegment(segment: FinishedSegment, row: PipelineRow, { last, isLost, atMs }: Before): SegmentRow {
  const { uuid: lane, epoch } = row;
  const isBegun = last !== undefined || row.nextNumber !== null;
  const isNext = last !== undefined && isSameRun(last, segment) && last.sequence === segment.sequence - 1;
  const isSeam = !isNext || isLost || (segment.isDiscontinuity ?? false);
  return {
    ...enteringSegment(segment, { last, epoch, atMs }),
    lane,
    number: null,
    isDiscontinuity: isBegun && isSeam,
    video: '',
    queue: 'live',
    eac: 0,
    asrc: 0,
    olc: 0,
    cues: [],
    isCleared: false,
    isEdited: false,
    overlayBytes: 0,
    isBurnt: false,
  };
}

/**
 * Number of the segment in the output, without gaps. A change between copied and encoded video needs a discontinuity.
 */
function placeInOutput(row: SegmentRow, last: SegmentRow | undefined, { nextNumber }: PipelineRow) {
  const codecOf = ({ isBurnt, video }: SegmentRow) => (isBurnt ? 'h264' : video);
  const isOtherCodec = last !== undefined && codecOf(last) !== codecOf(row);
  const number = typeof last?.number === 'number' ? last.number + 1 : (nextNumber ?? row.sequence);
  return { number, isDiscontinuity: row.isDiscontinuity || isOtherCodec };
}

/** The text of a segment as a person wants it, as one cue. */
function withWholeText(row: SegmentRow, text: string): SegmentRow {
  const shown = shownCues({ cues: row.cues, isCleared: false });
  const startMs = shown[0]?.startMs ?? row.startMs ?? 0;
  const cue = { startMs, endMs: shown.at(-1)?.endMs ?? segmentEndMs(row), text };
  return { ...row, cues: [cue], isEdited: true, isCleared: false };
}

/** Finds a row by its index in the shown queue. */
function cueAt(row: SegmentRow, index: number): Cue {
  const cue = shownCues({ cues: row.cues, isCleared: false })[index];
  if (!cue) throw new WeirError('not_found', 'there is no such cue in this segment');
  return cue;
}

/** The same row where it does not hold the cue. */
function withCueText(row: SegmentRow, before: Cue, text: string): SegmentRow {
  const isSame = (cue: Cue) => cue.startMs === before.startMs && cue.endMs === before.endMs;
  if (!row.cues.some(isSame)) return row;
  const cues = row.cues.map((cue) => (isSame(cue) ? { ...cue, text } : cue));
  return { ...row, cues, isEdited: true, isCleared: false };
}
