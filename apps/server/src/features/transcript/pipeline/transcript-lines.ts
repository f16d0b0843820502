import { type TranscriptLine, transcriptLimits } from '@weir/contract';
import type { WirePlace } from '@weir/streams';
import { RecentIds } from '../../../segments/recent-ids.ts';
import type { Cue, Heard } from '../../../speech/cue.ts';
import { joinLines } from '../../../speech/join-texts.ts';
import { type SegmentRow, segmentIds, shownCues } from './segment-row.ts';

/** Line without its translations. */
export interface SpokenLine extends Omit<TranscriptLine, 'texts' | 'at'> {
  readonly place: WirePlace;
  readonly epoch: string;
  readonly cue: Cue;
  readonly atMs: number;
}

/** More than the queues of a stream hold. */
const mostCorrected = 400;

/** Running transcript of one stream: what was said, in one list from recognition to the output and beyond. */
export class TranscriptLines {
  readonly #corrected = new RecentIds(mostCorrected);
  #gone: readonly SpokenLine[] = [];

  /** Remembers a cue that a person edited. */
  correct(epoch: string, cue: Cue): void {
    this.#corrected.add(lineId(epoch, cue));
  }

  /** Keeps the lines of a segment that leaves the output. */
  keep(row: SegmentRow): void {
    const known = new Set(this.#gone.map(({ id }) => id));
    const lines = this.#ofRow(row).filter(({ id }) => !known.has(id));
    this.#gone = [...this.#gone, ...lines].slice(-transcriptLimits.lines);
  }

  /** Oldest first. A cue of several segments is one line, in the state of the first of them. */
  list(rows: readonly SegmentRow[], heard: readonly Heard[]): SpokenLine[] {
    const lines = new Map(this.#gone.map((line) => [line.id, line]));
    for (const line of rows.flatMap((row) => this.#ofRow(row))) if (!lines.has(line.id)) lines.set(line.id, line);
    // Text is known before its segment. The segments of the same publisher tell what time it is on its clock.
    const publishers = new Map(rows.flatMap((row) => (row.startMs === null ? [] : [[row.clientId, row] as const])));
    for (const { epoch, cues } of heard) {
      const row = publishers.get(epoch);
      if (!row) continue;
      for (const cue of cues.filter(({ text }) => text.trim() !== '')) {
        const id = lineId(epoch, cue);
        if (lines.has(id)) continue;
        const state = { state: 'heard', edited: false, cleared: false, segment: null } as const;
        lines.set(id, { ...lineOf(row, cue), ...state });
      }
    }
    return [...lines.values()].sort((a, b) => a.atMs - b.atMs);
  }

  #ofRow(row: SegmentRow): SpokenLine[] {
    const { queue, clientId: epoch, isCleared: cleared } = row;
    if (row.startMs === null || (queue !== 'fix' && queue !== 'overlay')) return [];
    const tsid = segmentIds(row).audio;
    // Cleared cues are still listed; the console strikes them through.
    return shownCues({ cues: row.cues, isCleared: false }).map((cue, index) => {
      return {
        ...lineOf(row, cue),
        state: queue === 'fix' ? 'review' : 'air',
        edited: row.isEdited && this.#corrected.has(lineId(epoch, cue)),
        cleared,
        segment: queue === 'fix' ? { tsid, cue: index } : null,
      };
    });
  }
}

/** The segment's publisher has the place and the date of zero on the cue's clock. */
function lineOf({ vhost, app, stream, clientId: epoch, atMs, durationMs, startMs }: SegmentRow, cue: Cue) {
  return {
    id: lineId(epoch, cue),
    place: { vhost, app, stream },
    epoch,
    cue,
    text: joinLines(cue.text),
    atMs: atMs - durationMs - (startMs ?? 0) + cue.startMs,
  };
}

function lineId(epoch: string, { startMs }: Cue): string {
  return `${epoch}/${Math.round(startMs)}`;
}
