import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type CollectGarbage = (options: { type: 'major'; flavor: 'last-resort' }) => void;

/** Each is several collections. Code that ran only once is let go after it was not needed for six; more rounds found nothing more. */
const rounds = 4;
/** A round takes a tenth of a second, on a busy machine a whole one. */
const pauseMs = 200;

/**
 * Gives the memory that starting up needed back to the system. Left alone, an idle process would keep it for good:
 * the collector runs when there is work, and an idle process has none.
 */
export function releaseStartupMemory(): void {
  setFlagsFromString('--expose-gc');
  const collectGarbage: CollectGarbage = runInNewContext('gc');
  const collect = (left: number) => {
    collectGarbage({ type: 'major', flavor: 'last-resort' });
    if (left > 1) setTimeout(collect, pauseMs, left - 1).unref();
  };
  collect(rounds);
}
