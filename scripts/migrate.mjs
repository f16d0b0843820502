// npm run migrate: copies settings between the file and a Redis, or takes over those of an Oryx. docs/shared-settings.md has examples.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { assertStopped } from './assert-stopped.mjs';
import { isNodeNewEnough, root, setUp } from './setup.mjs';

const usage = `npm run migrate -- --from sqlite|redis --to sqlite|redis [--dry-run] [--replace]
npm run migrate -- --from oryx --oryx redis://host:6379/0 --to sqlite|redis [--dry-run] [--replace]

WEIR_DATA is the data directory, WEIR_STORE the redis:// address. Stop the server first.`;

function wishOf(parseStoreAddress) {
  const flag = { type: 'boolean', default: false };
  const text = { type: 'string', default: '' };
  const options = { from: text, to: text, oryx: text, 'dry-run': flag, replace: flag };
  const { from, to, oryx, 'dry-run': isDry, replace: replaces } = parseArgs({ options }).values;
  const isPlace = (place) => place === 'sqlite' || place === 'redis';
  if (!isPlace(to) || !(isPlace(from) || (from === 'oryx' && oryx !== ''))) throw new Error(usage);
  const address = from === 'oryx' ? parseStoreAddress(oryx) : undefined;
  if (address?.kind === 'sqlite') throw new Error(usage);
  return { from: address ? { oryx: address } : from, to, isDry, replaces };
}

async function main() {
  const { parseConfig } = await import('../packages/plane/src/config.ts');
  const { parseStoreAddress } = await import('../packages/plane/src/store-address.ts');
  const { createLog } = await import('../packages/plane/src/log/log.ts');
  const { systemClock } = await import('../apps/server/src/core/clock.ts');
  const { migrate } = await import('../apps/server/src/migrate/migrate.ts');
  const wish = wishOf(parseStoreAddress);
  const config = parseConfig(process.env, { cwd: root, version: '' });
  await assertStopped(config.dataDir);
  // The user needs one sentence only; weaknesses of the database are logged at every start.
  const log = createLog('migrate', 'error');
  log.level = 'silent';
  await migrate(wish, { config, log, clock: systemClock, say: (line) => console.log(line) });
}

setUp('start');
if (isNodeNewEnough()) {
  await main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
