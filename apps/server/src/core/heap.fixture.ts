import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Heap of this process in megabytes. For test files that run in their own process. */
export function heapMb(): number {
  collect();
  return process.memoryUsage().heapUsed / 1024 ** 2;
}
