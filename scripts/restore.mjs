// npm run restore: replaces the settings of this data directory by those of a backup. The server must be stopped.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { assertStopped } from './assert-stopped.mjs';
import { commandContext } from './command-context.mjs';
import { isNodeNewEnough, setUp } from './setup.mjs';

const usage = `npm run restore -- FILE --key KEYFILE [--dry-run]

KEYFILE has the recovery key, such as AGE-SECRET-KEY-1…; lines that begin with # are comments.
--dry-run lists what would change. WEIR_DATA and WEIR_STORE as for the server. Stop the server first.`;

function wishOf() {
  const options = { key: { type: 'string', default: '' }, 'dry-run': { type: 'boolean', default: false } };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0 || values.key === '') throw new Error(usage);
  return { file, keyFile: values.key, isDry: values['dry-run'] };
}

async function main() {
  const { runRestore } = await import('../apps/server/src/backup/backup-commands.ts');
  const wish = wishOf();
  const context = await commandContext('restore');
  await assertStopped(context.config.dataDir);
  await runRestore(wish, context);
}

setUp('start');
if (isNodeNewEnough()) {
  await main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
