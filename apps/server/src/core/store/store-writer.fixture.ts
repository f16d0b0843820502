import { flushCompileCache } from 'node:module';
import { createLog } from '@weir/plane';
import * as z from 'zod';
import { SqliteStore } from './sqlite-store.ts';

// Child of store-kill.test.ts: writes one entry after the other and says so after each, until it is killed.
const [file = '', round = ''] = process.argv.slice(2);
// A process that is killed leaves no compile cache behind; the first round leaves one for the other 99.
if (round === '0') flushCompileCache();
const entries = new SqliteStore(file, createLog('writer', 'error')).collection('entries', z.string());
for (let n = 0; ; n++) {
  await entries.put(`${round}-${n}`, 'x'.repeat(n % 500));
  process.stdout.write(`${n}\n`);
}
