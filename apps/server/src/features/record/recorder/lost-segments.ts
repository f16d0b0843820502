import { recordLimits } from '@weir/contract';
import type { FinishedSegment } from '@weir/dialect';

type Place = Pick<FinishedSegment, 'sequence' | 'clientId'>;

interface Mark extends Place {
  readonly uuid: string;
  readonly atMs: number;
  /** Later ones that were counted already. */
  readonly ahead: Set<number>;
}

/** Some of a recording's segments that are not in it. */
export interface Loss {
  readonly uuid: string;
  readonly count: number;
}

const mostStreams = 2000;

/**
 * What is missing of each stream's recording, by the numbers of its segments: those that could not be kept, also after a
 * recording was closed because there was no room, and those that never came because the engine could not write them.
 */
export class LostSegments {
  readonly #marks = new Map<string, Mark>();

  /** It is in the recording; what is missing before it may be of the recording before. */
  kept(stream: string, uuid: string, segment: Place, nowMs: number): Loss | undefined {
    const mark = this.#marks.get(stream);
    const loss = mark && { uuid: mark.uuid, count: missingBefore(mark, segment) };
    this.#put(stream, mark, { uuid, sequence: segment.sequence, clientId: segment.clientId, atMs: nowMs });
    return loss;
  }

  /** It was wanted and is not kept. Of a stream that is not recorded there is nobody to tell it to. */
  notKept(stream: string, segment: Place, nowMs: number): Loss | undefined {
    const mark = this.#marks.get(stream);
    if (!mark) return undefined;
    if (mark.clientId !== segment.clientId && nowMs - mark.atMs > recordLimits.silenceMs) {
      // Another one's stream, which would have been a recording of its own.
      this.#marks.delete(stream);
      return undefined;
    }
    const count = missingBefore(mark, segment) + 1;
    this.#put(stream, mark, { ...mark, sequence: segment.sequence, clientId: segment.clientId, atMs: nowMs });
    return { uuid: mark.uuid, count };
  }

  /** It is not kept, and segments before it are still to come. */
  notKeptAhead(stream: string, { sequence }: Place): Loss | undefined {
    const mark = this.#marks.get(stream);
    mark?.ahead.add(sequence);
    return mark && { uuid: mark.uuid, count: 1 };
  }

  /** Nobody wants it. */
  unwanted(stream: string, { sequence, clientId }: Place): void {
    const mark = this.#marks.get(stream);
    if (mark) this.#put(stream, mark, { ...mark, sequence, clientId });
  }

  /** Recording was switched: what came meanwhile nobody told of. */
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

/** Numbers go on within what one publisher sends; across publishers a step says nothing. */
function missingBefore(mark: Mark, { sequence, clientId }: Place): number {
  if (mark.clientId !== clientId || sequence <= mark.sequence) return 0;
  const counted = [...mark.ahead].filter((each) => each > mark.sequence && each < sequence).length;
  return Math.max(0, sequence - mark.sequence - 1 - counted);
}
