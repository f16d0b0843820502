import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@weir/plane';
import type { Sources } from './sources.ts';

const everyMs = 3600 * 1000;

/** Removes at the start and every hour what nobody uses. A store that fails is asked again an hour later. */
export async function sweepSources(sources: Sources, log: Log, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sources.sweep().catch((error: unknown) => log.warn({ err: error }, 'unused sources could not be removed'));
    await sleep(everyMs, undefined, { signal }).catch(() => undefined);
  }
}
