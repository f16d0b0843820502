import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** What this process holds on to, in megabytes. For test files that run in a process of their own. */
export function heapMb(): number {
  collect();
  return process.memoryUsage().heapUsed / 1024 ** 2;
}
