import type { Log } from '@weir/plane';
import type { Clock } from '../core/clock.ts';
import type { LiveStream, MediaServer } from './media-server.ts';

/** Interval of checks. Short, because an engine that restarted uses default settings until it gets ours. */
const lookMs = 2000;
const listMs = 10_000;

interface Context {
  readonly mediaServer: MediaServer;
  readonly log: Log;
  /** A run of the engine that has not been seen before. Called again until it succeeds. */
  readonly onStarted: () => Promise<void>;
  /** Gets a way to ask what is live, now and every few seconds. */
  readonly onRound: (list: () => Promise<LiveStream[]>) => Promise<void>;
  readonly clock: Clock;
}

/** Keeps an eye on the engine: its restarts, and what is live on it. */
export async function watchMediaServer(
  { mediaServer, log, onStarted, onRound, clock }: Context,
  signal: AbortSignal,
): Promise<void> {
  let seen: string | undefined;
  let listedAt = Number.NEGATIVE_INFINITY;
  let isAway = false;
  while (!signal.aborted) {
    try {
      const { startedAt } = await mediaServer.health();
      const isNew = startedAt !== seen;
      const tell = async () => {
        await onStarted();
        seen = startedAt;
      };
      const compare = async () => {
        await onRound(() => mediaServer.streams());
        listedAt = clock.elapsedMs();
      };
      // Both run independently: a setting that cannot be applied must not keep ended streams alive.
      const isDue = isNew || clock.elapsedMs() - listedAt >= listMs;
      const results = await Promise.allSettled([...(isNew ? [tell()] : []), ...(isDue ? [compare()] : [])]);
      const failed = results.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
      if (isAway) log.info('the media engine is responding again');
      isAway = false;
    } catch (error) {
      if (!isAway) log.warn({ err: error }, 'could not reach the media engine');
      isAway = true;
    }
    await clock.pause(lookMs, signal);
  }
}
