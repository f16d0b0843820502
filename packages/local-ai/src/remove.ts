import { rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { withInstallLock } from './install-lock.ts';
import { commonPackages, platformPackages } from './manifest.ts';
import { builtinDirectory, listFiles } from './required-files.ts';

/** Takes away what an install put there, for whatever platform, and nothing else: models that the owner added stay. */
export async function removeLocalAi(modelsDir: string): Promise<void> {
  const files = [...commonPackages, ...Object.values(platformPackages)].flatMap(listFiles);
  await withInstallLock(modelsDir, async () => {
    for (const { path } of files) await rm(join(modelsDir, path), { force: true });
    await rm(join(builtinDirectory(modelsDir), '.incoming'), { recursive: true, force: true });
    for (const folder of new Set(files.map(({ path }) => dirname(path)))) await removeEmpty(join(modelsDir, folder));
  });
  await removeEmpty(builtinDirectory(modelsDir));
}

/** One that holds something of somebody else's stays. */
async function removeEmpty(directory: string): Promise<void> {
  await rmdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code ?? '')) throw error;
  });
}
