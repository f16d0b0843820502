import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type CollectGarbage = (options: { type: 'major'; flavor: 'last-resort' }) => void;

/** Code that ran only once is let go after it was not needed for several collections. */
const rounds = 8;

/**
 * Gives the memory that starting up needed back to the system. Left alone, an idle process would keep it for good:
 * the collector runs when there is work, and an idle process has none.
 */
export function releaseStartupMemory(): void {
  setFlagsFromString('--expose-gc');
  const collectGarbage: CollectGarbage = runInNewContext('gc');
  for (let round = 0; round < rounds; round++) collectGarbage({ type: 'major', flavor: 'last-resort' });
}
