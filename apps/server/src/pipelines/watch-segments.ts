import type { Log } from '@weir/plane';
import type { Clock } from '../core/clock.ts';
import type { Task } from '../core/task.ts';

interface Context {
  /** Takes up what was wanted when the server last ran. */
  readonly resume: () => Promise<void>;
  readonly pipelines: () => readonly { advance(): Promise<void>; dropOlder(ageMs: number): Promise<void> }[];
  readonly clock: Clock;
  readonly log: Log;
}

/** Interval of checks: most moves follow an event, but some only the passing of time. */
const advanceMs = 500;
const retryMs = 2000;
/** Age at which segments of ended streams and stopped tasks are removed. */
const oldMs = 15 * 60_000;
const sweepMs = 60_000;

/** Segments older than this when a task restarts are not continued. */
export const freshMs = 60_000;

/** Takes up the task at the start, and moves what only time moves. */
export function watchSegments({ resume, pipelines, clock, log }: Context): Task {
  return async (signal) => {
    let isResumed = false;
    let sweptAtMs = clock.elapsedMs();
    while (!signal.aborted) {
      try {
        if (!isResumed) await resume();
        isResumed = true;
        for (const pipeline of pipelines()) await pipeline.advance();
        if (clock.elapsedMs() - sweptAtMs > sweepMs) {
          sweptAtMs = clock.elapsedMs();
          for (const pipeline of pipelines()) await pipeline.dropOlder(oldMs);
        }
      } catch (error) {
        log.warn({ err: error }, 'segments could not be processed');
        await clock.pause(retryMs, signal).catch(() => undefined);
      }
      await clock.pause(advanceMs, signal).catch(() => undefined);
    }
  };
}
