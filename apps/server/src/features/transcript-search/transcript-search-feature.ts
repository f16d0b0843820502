import { transcriptSearchApi, transcriptSearchLimits } from '@weir/contract';
import type { Log } from '@weir/plane';
import type { Clock } from '../../core/clock.ts';
import { WeirError } from '../../core/errors.ts';
import type { Feature } from '../../feature.ts';
import type { TranscriptIndex } from '../../transcript-index/transcript-index.ts';

interface Context {
  readonly words: Pick<TranscriptIndex, 'search' | 'tidy'>;
  readonly clock: Clock;
  readonly log: Log;
}

const tidyMs = 10 * 60_000;

/** Finds what was said and shown in streams. */
export function transcriptSearchFeature({ words, clock, log }: Context): Feature {
  const search = (query: string, before: number) => {
    try {
      return words.search(query, { most: transcriptSearchLimits.hits + 1, before });
    } catch (cause) {
      throw new WeirError('store_unavailable', 'the search index cannot be read right now', { cause });
    }
  };
  return {
    routes: (http) => {
      http.route(transcriptSearchApi.search, async ({ query, before = Number.MAX_SAFE_INTEGER }) => {
        const hits = search(query, before);
        return { hits: hits.slice(0, transcriptSearchLimits.hits), more: hits.length > transcriptSearchLimits.hits };
      });
    },
    tasks: {
      words: async (signal) => {
        while (!signal.aborted) {
          await clock.pause(tidyMs, signal).catch(() => undefined);
          if (signal.aborted) return;
          try {
            words.tidy();
          } catch (error) {
            log.warn({ err: error }, 'old search entries could not be removed');
          }
        }
      },
    },
  };
}
