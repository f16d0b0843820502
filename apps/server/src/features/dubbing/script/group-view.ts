import type { DubbingGroup } from '@weir/contract';
import { availableTime, fitInto } from '../steps/fit.ts';
import type { GroupRow } from './rows.ts';
import { wholeMs } from './whole-ms.ts';

/** Zero time that older clients compare with. */
const never = '0001-01-01T00:00:00Z';

interface Around {
  readonly id: number;
  readonly next: GroupRow | undefined;
  readonly filmSeconds: number;
}

/** A group as clients see it. */
export function groupView(group: GroupRow, { id, next, filmSeconds }: Around): DubbingGroup {
  const { uuid, segments, start, end, translated, rephrased, voice, revision, cause } = group;
  const duration = wholeMs(end - start);
  const seconds = wholeMs(voice?.seconds ?? 0);
  const fit = voice && fitInto(voice.natural, availableTime(group, next, filmSeconds));
  return {
    uuid,
    id,
    start,
    end,
    duration,
    translated,
    rephrased,
    revision,
    cause,
    segments: segments.map(({ partStart, ...segment }, at) => ({ ...segment, id: at, original_start: partStart })),
    translated_at: group.translatedAt || never,
    corrected: translated !== '' && translated !== group.suggested,
    rephrased_at: group.rephrasedAt || never,
    tts: voice?.name ?? '',
    tts_at: voice?.at ?? never,
    tts_duration: seconds,
    free_space: voice ? wholeMs(duration - seconds) : null,
    fit: fit?.kind ?? 'none',
    over: wholeMs(fit?.over ?? 0),
    tempo: voice?.tempo ?? 1,
  };
}
