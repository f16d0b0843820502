// weir apply-update: installs the release that the server has downloaded. Run as root by the service weir-update; see docs/features/updates.md.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const { parseConfig } = await import('../packages/plane/src/config.ts');
const { UpdateFiles } = await import('../apps/server/src/releases/update-state.ts');
const { applyUpdate } = await import('./update/apply-update.ts');
const { DataUser } = await import('./update/data-user.ts');
const { DebianInstallation } = await import('./update/debian-installation.ts');
const { Service } = await import('./update/service.ts');
const { TarballInstallation } = await import('./update/tarball-installation.ts');
const { localOrigin } = await import('./update/local-origin.ts');

// This file lies in a folder of the release, in the form it has there too.
const tree = join(import.meta.dirname, '..');
const { version, release } = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8'));
process.umask(0o022);
const config = parseConfig(process.env, { cwd: '/', version, release });
const { installation: kind, key } = config.updates;
if (key === '' || (kind !== 'tarball' && kind !== 'deb')) {
  console.error('This installation cannot replace its own files.');
  process.exit(1);
}
const end = await applyUpdate({
  dataDir: config.dataDir,
  installed: { version, key },
  files: new UpdateFiles(config.dataDir),
  user: new DataUser(config.dataDir),
  service: new Service({ origin: localOrigin(config.http) }),
  // TREE is releases/VERSION of the home.
  installation:
    kind === 'deb' ? new DebianInstallation('/var/lib/weir-update') : new TarballInstallation(join(tree, '../..')),
});
process.exit(end === undefined || end === 'done' ? 0 : 1);
