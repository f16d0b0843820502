// What commands on the data of a server need.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { root } from './setup.mjs';

/** In a release the commands lie beside the same file. */
const about = join(import.meta.dirname ?? '', '../package.json');

export async function commandContext(name) {
  const { parseConfig } = await import('../packages/plane/src/config.ts');
  const { createLog } = await import('../packages/plane/src/log/log.ts');
  const { systemClock } = await import('../apps/server/src/core/clock.ts');
  const { version } = JSON.parse(readFileSync(about, 'utf8'));
  const config = parseConfig(process.env, { cwd: root, version });
  // The user needs one sentence only; weaknesses of the database are logged at every start.
  const log = createLog(name, 'error');
  log.level = 'silent';
  return { config, log, clock: systemClock, say: (line) => console.log(line) };
}
