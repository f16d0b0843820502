import { setTimeout as sleep } from 'node:timers/promises';
import { createLog, type RedisAddress } from '@weir/plane';
import { parseStoreAddress } from '@weir/plane/store-address';
import * as z from 'zod';
import { RedisStore } from './redis-store.ts';

// Child of redis-kills.test.ts: writes one entry after the other and prints the number of each that is confirmed, until it is killed.
const [url = '', round = ''] = process.argv.slice(2);
const log = createLog('writer', 'error');
log.level = 'silent';
const entries = new RedisStore(parseStoreAddress(url) as RedisAddress, log).collection('entries', z.number());
for (let n = 0; ; n++) {
  const isConfirmed = await entries.put(`${round}-${n}`, n).then(
    () => true,
    () => false,
  );
  if (isConfirmed) process.stdout.write(`${n}\n`);
  // A database that is away refuses thousands of writes a second.
  else await sleep(10);
}
