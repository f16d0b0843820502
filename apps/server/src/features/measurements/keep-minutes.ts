import { type SampleTable, sampleSpans } from '@weir/dialect';
import { type Log, LogRateLimiter } from '@weir/plane';
import type { Clock } from '../../core/clock.ts';
import type { MediaServer } from '../../media-server/media-server.ts';
import type { MinuteFiles } from './minute-files.ts';

const minuteMs = 60_000;
/** After the end of a minute, when the engine has it for sure. */
const settleMs = 2000;

interface Context {
  readonly mediaServer: MediaServer;
  readonly files: MinuteFiles;
  readonly clock: Clock;
  readonly log: Log;
}

/** Fetches every finished minute from the engine once and keeps it; after a restart, those that were missed as well. */
export async function keepMinutes({ mediaServer, files, clock, log }: Context, signal: AbortSignal): Promise<void> {
  const complaints = new LogRateLimiter({ each: 1, all: 4, windowMs: 3_600_000 });
  let sinceMs: number | undefined;
  while (!signal.aborted) {
    try {
      sinceMs ??= (await files.readServer(0, clock.dateMs())).at.at(-1) ?? 0;
      sinceMs = await fetchMinutes({ mediaServer, files }, sinceMs);
    } catch (error) {
      // The engine remembers two hours of them, so a while without it or without room on the disk costs nothing.
      if (complaints.pass('minutes') !== undefined) log.warn({ err: error }, 'measurements could not be saved');
    }
    await clock.pause(minuteMs - (clock.dateMs() % minuteMs) + settleMs, signal).catch(() => undefined);
  }
}

/** Up to which minute all are kept now. */
async function fetchMinutes({ mediaServer, files }: Pick<Context, 'mediaServer' | 'files'>, sinceMs: number) {
  let fromMs = sinceMs;
  // Bounded like the memory of the engine.
  for (let page = 0; page <= sampleSpans.minutes / sampleSpans.page; page += 1) {
    const { server, streams } = await mediaServer.minutes(fromMs);
    const tables = [server, ...streams.map(({ samples }) => samples)];
    await files.appendServer(server);
    for (const stream of streams) await files.appendStream(stream, stream.samples);
    const full = tables.filter(({ at }) => at.length >= sampleSpans.page);
    fromMs = full.length > 0 ? Math.min(...full.map(lastOf)) : Math.max(fromMs, ...tables.map(lastOf));
    if (full.length === 0) break;
  }
  return fromMs;
}

function lastOf({ at }: SampleTable): number {
  return at.at(-1) ?? 0;
}
