// For an administrator who has lost the password but owns the machine: back to set-up, with every setting kept.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { isNodeNewEnough, root, setUp } from './setup.mjs';

setUp('start');
if (isNodeNewEnough()) {
  const { parseConfig } = await import('../packages/plane/src/config.ts');
  const { createLog } = await import('../packages/plane/src/log.ts');
  const { SqliteStore } = await import('../apps/server/src/core/store/sqlite-store.ts');
  const { systemClock } = await import('../apps/server/src/core/clock.ts');
  const { IdentityRepository } = await import('../apps/server/src/features/auth/identity-repository.ts');
  const { dataDir } = parseConfig(process.env, { cwd: root, version: '' });
  const file = join(dataDir, 'weir.db');
  if (!existsSync(file)) {
    console.error(`There are no settings in ${dataDir}; WEIR_DATA names another directory.`);
    process.exit(1);
  }
  const store = new SqliteStore(file, createLog('reset-password', 'error'));
  const identity = new IdentityRepository(store, systemClock);
  await identity.removePassword();
  await identity.replaceSessionSalt();
  console.log(`The password is removed and everybody is signed out. The set-up code is ${await identity.setupCode()}.`);
  console.log('Open the console to set a new password; from another machine use the set-up address of the next start.');
  await store.close();
}
