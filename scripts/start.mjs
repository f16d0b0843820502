import { join } from 'node:path';
import { ensureConsole, isNodeNewEnough, root, setUp } from './setup.mjs';

setUp('start');
if (isNodeNewEnough()) {
  ensureConsole();
  const { enableCompileCache } = await import('node:module');
  enableCompileCache(join(root, 'node_modules/.cache/weir'));
  await import('../apps/weir/src/main.ts');
}
