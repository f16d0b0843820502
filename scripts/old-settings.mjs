// weir old-settings: after going back to an older version, puts the newest settings in place that it can open. Stop the server first.
import process from 'node:process';
import { assertStopped } from './assert-stopped.mjs';
import { isNodeNewEnough, root, setUp } from './setup.mjs';

async function main() {
  const { parseConfig } = await import('../packages/plane/src/config.ts');
  const { steps } = await import('../apps/server/src/core/store/sqlite-store.ts');
  const { putOlderSettings } = await import('../apps/server/src/core/store/older-settings.ts');
  const { dataDir } = parseConfig(process.env, { cwd: root, version: '' });
  await assertStopped(dataDir);
  const copy = putOlderSettings(dataDir, steps.length);
  if (!copy) return 'Nothing was changed: the settings fit this version, or there is no copy that it can open.';
  return `The settings of ${copy.at.toISOString()} are in place (${copy.name}). The newer ones are kept in weir.db.newer.`;
}

setUp('start');
if (isNodeNewEnough()) {
  await main().then(console.log, (error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
