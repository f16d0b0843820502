// npm run backup: one encrypted file with settings, keys, certificate, timelines and transcripts. The server may run.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { commandContext } from './command-context.mjs';
import { isNodeNewEnough, setUp } from './setup.mjs';

const usage = `npm run backup -- [--to FILE|DIRECTORY] [--new-key FILE] [--without-recordings]

Without --to, the backup is written to the directory of scheduled backups (WEIR_BACKUPS).
--new-key creates the recovery key, without which no backup can be opened, and writes it to FILE.
WEIR_DATA and WEIR_STORE as for the server.`;

function wishOf() {
  const text = { type: 'string', default: '' };
  const flag = { type: 'boolean', default: false };
  const options = { to: text, 'new-key': text, 'without-recordings': flag, help: flag };
  const { values } = parseArgs({ options });
  if (values.help) throw new Error(usage);
  return { to: values.to, newKey: values['new-key'], recordings: !values['without-recordings'] };
}

async function main() {
  const { runBackup } = await import('../apps/server/src/backup/backup-commands.ts');
  await runBackup(wishOf(), await commandContext('backup'));
}

setUp('start');
if (isNodeNewEnough()) {
  await main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
