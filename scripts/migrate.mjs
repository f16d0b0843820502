// npm run migrate: copies settings between the file and a Redis, or takes over those of an Oryx. docs/shared-settings.md has examples.
import process from 'node:process';
import { parseArgs } from 'node:util';
import words from '../apps/web/src/locales/en/settings/imports.json' with { type: 'json' };
import { assertStopped } from './assert-stopped.mjs';
import { commandContext } from './command-context.mjs';
import { isNodeNewEnough, setUp } from './setup.mjs';

const usage = `npm run migrate -- --from sqlite|redis --to sqlite|redis [--dry-run] [--replace]
npm run migrate -- --from oryx --oryx redis://host:6379/0 --to sqlite|redis [--dry-run] [--replace]
npm run migrate -- --from srs|mediamtx|nginx-rtmp|restreamer --file FILE --to sqlite|redis [--dry-run] [--replace]

WEIR_DATA is the data directory, WEIR_STORE the redis:// address. Stop the server first.`;

/** Other servers whose configuration file can be read. */
const formats = ['srs', 'mediamtx', 'nginx-rtmp', 'restreamer'];

function wishOf(parseStoreAddress) {
  const flag = { type: 'boolean', default: false };
  const text = { type: 'string', default: '' };
  const options = { from: text, to: text, oryx: text, file: text, 'dry-run': flag, replace: flag };
  const { from, to, oryx, file, 'dry-run': isDry, replace: replaces } = parseArgs({ options }).values;
  const isPlace = (place) => place === 'sqlite' || place === 'redis';
  const isFile = formats.includes(from) && file !== '';
  if (!isPlace(to) || !(isPlace(from) || isFile || (from === 'oryx' && oryx !== ''))) throw new Error(usage);
  if (isFile) return { from: { format: from, file }, to, isDry, replaces };
  const address = from === 'oryx' ? parseStoreAddress(oryx) : undefined;
  if (address?.kind === 'sqlite') throw new Error(usage);
  return { from: address ? { oryx: address } : from, to, isDry, replaces };
}

async function main() {
  const { parseStoreAddress } = await import('../packages/plane/src/store-address.ts');
  const { migrate } = await import('../apps/server/src/migrate/migrate.ts');
  const wish = wishOf(parseStoreAddress);
  const context = await commandContext('migrate');
  await assertStopped(context.config.dataDir);
  await migrate(wish, { ...context, words });
}

setUp('start');
if (isNodeNewEnough()) {
  await main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
