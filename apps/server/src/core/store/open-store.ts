import { join } from 'node:path';
import type { Config, Log } from '@weir/plane';
import type { Clock } from '../clock.ts';
import { readDataId } from './redis/data-id.ts';
import { RedisStore } from './redis/redis-store.ts';
import { SqliteStore } from './sqlite-store.ts';

/** The settings where the operator wants them. Whether they can be reached is seen by the first call. */
export function openStore(
  { store, dataDir, filesDir }: Pick<Config, 'store' | 'dataDir' | 'filesDir'>,
  log: Log,
  clock: Clock,
) {
  return store.kind === 'redis'
    ? new RedisStore(store, log, { dataId: readDataId(filesDir), clock })
    : new SqliteStore(join(dataDir, 'weir.db'), log, undefined, clock);
}
