import type { Clock } from '../../core/clock.ts';
import { AiError } from '../ai.ts';

interface Options {
  readonly most: number;
  readonly firstMs: number;
  /** Whoever asks for a longer pause is not waited for. */
  readonly longestMs: number;
  readonly random: () => number;
}

const usual: Options = { most: 3, firstMs: 500, longestMs: 20_000, random: Math.random };

/** Does it again when that may help: after a growing, jittered pause, or the one that the provider asks for. */
export async function withTries<T>(
  clock: Pick<Clock, 'pause'>,
  signal: AbortSignal,
  work: () => Promise<T>,
  { most, firstMs, longestMs, random }: Options = usual,
): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AiError) || !error.canRetry || tried >= most || signal.aborted) throw error;
      // Between half of it and all of it, so that many who failed at once do not come back at once.
      const waitMs = firstMs * 2 ** (tried - 1) * (0.5 + random() / 2);
      const pauseMs = Math.max(waitMs, error.retryAfterMs ?? 0);
      if (pauseMs > longestMs) throw error;
      await clock.pause(pauseMs, signal).catch(() => {
        throw new AiError('stopped', 'the request was stopped');
      });
    }
  }
}
