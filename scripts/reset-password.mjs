// For an administrator who has lost the password but owns the machine: back to set-up, with every setting kept.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { isNodeNewEnough, root, setUp } from './setup.mjs';

setUp('start');
if (isNodeNewEnough()) {
  const { parseConfig } = await import('../packages/plane/src/config.ts');
  const { createLog } = await import('../packages/plane/src/log/log.ts');
  const { openStore } = await import('../apps/server/src/core/store/open-store.ts');
  const { systemClock } = await import('../apps/server/src/core/clock.ts');
  const { IdentityRepository } = await import('../apps/server/src/features/auth/identity-repository.ts');
  const config = parseConfig(process.env, { cwd: root, version: '' });
  if (config.store.kind === 'sqlite' && !existsSync(join(config.dataDir, 'weir.db'))) {
    console.error(`No settings found in ${config.dataDir}. Set WEIR_DATA if the data is in another directory.`);
    process.exit(1);
  }
  const store = openStore(config, createLog('reset-password', 'error'), systemClock);
  const identity = new IdentityRepository(store, systemClock);
  await identity.removePassword();
  await identity.replaceSessionSalt();
  console.log(
    `The password was removed and all sessions were signed out. The setup code is ${await identity.setupCode()}.`,
  );
  console.log(
    'Start the server and open the console to set a new password. From another machine, use the setup URL it prints.',
  );
  await store.close();
}
