import type { Log } from '@weir/plane';
import { segmentEndMs } from '../../../pipelines/pipeline-segment.ts';
import type { Cue, Heard } from '../../../speech/cue.ts';
import type { CueRow, PipelineRepository } from './pipeline-repository.ts';
import { overlaps, type SegmentRow } from './segment-row.ts';

interface Context {
  readonly lane: string;
  readonly repository: PipelineRepository;
  readonly log: Log;
}

/** Limit of remembered cues. */
const mostHeard = 400;

/** Cues that wait for their segments: text is known before the segment it was said in. */
export class PendingCues {
  readonly #context: Context;
  #heard: Heard[] = [];

  constructor(context: Context, kept: readonly CueRow[]) {
    this.#context = context;
    const own = kept.filter(({ lane }) => lane === context.lane);
    this.#heard = own.map((cue) => ({ ...cue, tookMs: 0, language: '', cues: [cue] }));
  }

  /** Latest speech in the order of recognition. */
  get heard(): readonly Heard[] {
    return this.#heard;
  }

  /** From now on segments get it. */
  add(heard: Heard): void {
    this.#heard.push(heard);
  }

  /** Adds cues; resolves once they are stored. */
  async keep(heard: Heard): Promise<void> {
    const gone = this.#heard.slice(0, -mostHeard);
    this.#heard = this.#heard.slice(-mostHeard);
    for (const cue of this.#rowsOf(heard)) await this.#context.repository.putCue(cue);
    await this.#remove(gone);
  }

  /** Text of a segment: every cue that overlaps it. Clocks of different publishers are unrelated. */
  cuesOf(row: SegmentRow): Cue[] {
    return (
      this.#of(row)
        .flatMap(({ cues }) => cues)
        .filter((cue) => overlaps(row, cue))
        // Missed speech is transcribed later than the speech after it.
        .sort((a, b) => a.startMs - b.startMs)
        .map((cue) => ({ startMs: cue.startMs, endMs: cue.endMs, text: cue.text }))
    );
  }

  /** Time up to which each publisher's speech is known. */
  understood(): Map<string, number> {
    const until = new Map<string, number>();
    for (const { epoch, endMs } of this.#heard) until.set(epoch, Math.max(endMs, until.get(epoch) ?? endMs));
    return until;
  }

  /** Milliseconds that recognising took of utterances that ended in this segment: each counts in one. */
  costOf(row: SegmentRow): number {
    const ended = this.#of(row).filter(({ endMs }) => endMs > (row.startMs ?? 0) && endMs <= segmentEndMs(row));
    return ended.reduce((sum, { tookMs }) => sum + tookMs, 0);
  }

  /** Changes a text that segments to come may hold as well. */
  async edit(row: SegmentRow, before: Cue, text: string): Promise<void> {
    const isSame = (cue: Cue) => cue.startMs === before.startMs && cue.endMs === before.endMs;
    const found = this.#of(row).find(({ cues }) => cues.some(isSame));
    if (!found) return;
    const cues = found.cues.map((cue) => (isSame(cue) ? { ...cue, text } : cue));
    const changed = { ...found, cues };
    this.#heard = this.#heard.map((heard) => (heard === found ? changed : heard));
    for (const cue of this.#rowsOf(changed)) await this.#context.repository.putCue(cue);
  }

  /** Forgets what ended before a segment that has been made, and everything of publishers that are gone. */
  async forgetBefore(row: SegmentRow, clientIds: ReadonlySet<string>): Promise<void> {
    const isOver = ({ epoch, endMs }: Heard) =>
      epoch === row.clientId ? endMs < (row.startMs ?? 0) : !clientIds.has(epoch);
    const gone = this.#heard.filter(isOver);
    this.#heard = this.#heard.filter((heard) => !isOver(heard));
    await this.#remove(gone);
  }

  async clear(): Promise<void> {
    const gone = this.#heard;
    this.#heard = [];
    await this.#remove(gone);
  }

  #of({ clientId }: SegmentRow): Heard[] {
    return this.#heard.filter(({ epoch }) => epoch === clientId);
  }

  #rowsOf({ epoch, cues }: Heard): CueRow[] {
    return cues.map((cue) => ({ ...cue, epoch, lane: this.#context.lane }));
  }

  async #remove(gone: readonly Heard[]): Promise<void> {
    const { repository, log } = this.#context;
    for (const cue of gone.flatMap((heard) => this.#rowsOf(heard))) {
      await repository.removeCue(cue).catch((error: unknown) => log.warn({ err: error }, 'a cue could not be removed'));
    }
  }
}
