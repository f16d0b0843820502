import { recordLimits } from '@weir/contract';
import type { FinishedSegment } from '@weir/engine-api';

type Place = Pick<FinishedSegment, 'sequence' | 'clientId'>;

interface Mark extends Place {
  readonly uuid: string;
  readonly atMs: number;
  /** Later segments that were counted before. */
  readonly ahead: Set<number>;
}

/** Some of a recording's segments that are not in it. */
export interface Loss {
  readonly uuid: string;
  readonly count: number;
}

const mostStreams = 2000;

/**
 * Missing segments of each recording by number: segments that could not be stored, also after a recording was closed
 * for lack of space, and segments that the engine could not write.
 */
export class LostSegments {
  readonly #marks = new Map<string, Mark>();

  /** Notes a stored segment; a gap before it may belong to the previous recording. */
  kept(stream: string, uuid: string, segment: Place, nowMs: number): Loss | undefined {
    const mark = this.#marks.get(stream);
    const loss = mark && { uuid: mark.uuid, count: missingBefore(mark, segment) };
    this.#put(stream, mark, { uuid, sequence: segment.sequence, clientId: segment.clientId, atMs: nowMs });
    return loss;
  }

  /** Notes a wanted segment that was not stored. Ignored for a stream without a recording. */
  notKept(stream: string, segment: Place, nowMs: number): Loss | undefined {
    const mark = this.#marks.get(stream);
    if (!mark) return undefined;
    if (mark.clientId !== segment.clientId && nowMs - mark.atMs > recordLimits.silenceMs) {
      // A new publisher would have had its own recording.
      this.#marks.delete(stream);
      return undefined;
    }
    const count = missingBefore(mark, segment) + 1;
    this.#put(stream, mark, { ...mark, sequence: segment.sequence, clientId: segment.clientId, atMs: nowMs });
    return { uuid: mark.uuid, count };
  }

  /** Notes a segment that was not stored while earlier ones are still to come. */
  notKeptAhead(stream: string, { sequence }: Place): Loss | undefined {
    const mark = this.#marks.get(stream);
    mark?.ahead.add(sequence);
    return mark && { uuid: mark.uuid, count: 1 };
  }

  /** Notes a segment that was not wanted. */
  unwanted(stream: string, { sequence, clientId }: Place): void {
    const mark = this.#marks.get(stream);
    if (mark) this.#put(stream, mark, { ...mark, sequence, clientId });
  }

  /** Recording was switched on or off, so segments in between were not announced. */
  forgetAll(): void {
    this.#marks.clear();
  }

  /** The recording ended as it should: what comes later is not of it. */
  forget(stream: string): void {
    this.#marks.delete(stream);
  }

  #put(stream: string, before: Mark | undefined, mark: Omit<Mark, 'ahead'>): void {
    const ahead = new Set([...(before?.ahead ?? [])].filter((sequence) => sequence > mark.sequence));
    this.#marks.delete(stream);
    this.#marks.set(stream, { ...mark, ahead });
    const oldest = this.#marks.size > mostStreams ? this.#marks.keys().next().value : undefined;
    if (oldest !== undefined) this.#marks.delete(oldest);
  }
}

/** Segment numbers are consecutive for one publisher only, so a step between two publishers is no loss. */
function missingBefore(mark: Mark, { sequence, clientId }: Place): number {
  if (mark.clientId !== clientId || sequence <= mark.sequence) return 0;
  const counted = [...mark.ahead].filter((each) => each > mark.sequence && each < sequence).length;
  return Math.max(0, sequence - mark.sequence - 1 - counted);
}
