import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type CollectGarbage = (options: { type: 'major'; flavor: 'last-resort' }) => void;

/**
 * Gives the memory that starting up needed back to the system. Left alone, an idle process would keep it for good:
 * the collector runs when there is work, and an idle process has none.
 */
export function releaseStartupMemory(): void {
  // Code that ran only once is let go by the next collections, instead of after six.
  setFlagsFromString('--bytecode-old-age=1');
  setFlagsFromString('--expose-gc');
  const collectGarbage: CollectGarbage = runInNewContext('gc');
  collectGarbage({ type: 'major', flavor: 'last-resort' });
  setFlagsFromString('--bytecode-old-age=6');
}
