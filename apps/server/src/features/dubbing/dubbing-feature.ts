import type { Log } from '@weir/plane';
import type { Ai } from '../../ai/ai.ts';
import type { Clock } from '../../core/clock.ts';
import type { Feature } from '../../core/feature.ts';
import type { Store } from '../../core/store/store.ts';
import type { Sources } from '../../media-sources/sources.ts';
import { DubbingLinks } from './dubbing-links.ts';
import { dubbingRoutes } from './dubbing-routes.ts';
import { DubbingStudio } from './dubbing-studio.ts';
import { mediaRoutes } from './media-routes.ts';

interface Context {
  readonly config: { readonly filesDir: string };
  readonly store: Store;
  readonly sources: Sources;
  readonly ai: Ai;
  readonly linkKey: () => Promise<Uint8Array>;
  readonly clock: Clock;
  readonly log: Log;
}

const retryMs = 10_000;

/** Gives a film another language: understood, translated, spoken and mixed so that every sentence stands in its place. */
export function dubbingFeature(context: Context): Feature {
  const { clock, sources } = context;
  const log = context.log.child({ feature: 'dubbing' });
  const studio = new DubbingStudio({ ...context, log });
  const links = new DubbingLinks(context);
  return {
    routes: (http) => {
      dubbingRoutes(http, { studio, sources, links });
      mediaRoutes(http, { studio, links, clock });
    },
    tasks: {
      dubbing: async (signal) => {
        for (let isResumed = false; !isResumed && !signal.aborted; ) {
          isResumed = await studio.resume().then(
            () => true,
            (error: unknown) => {
              log.warn({ err: error }, 'dubbing could not be resumed, trying again');
              return false;
            },
          );
          if (!isResumed) await clock.pause(retryMs, signal).catch(() => undefined);
        }
      },
    },
    close: () => studio.close(),
  };
}
