import { join } from 'node:path';
import process from 'node:process';
import { ensureConsole, ensurePlanes, isNodeNewEnough, root, setUp } from './setup.mjs';
import { startedBy } from './started-by.mjs';

// Before anything that takes time: whoever ends npm meanwhile means us.
const starters = startedBy(root);
const isDemo = process.argv.includes('--demo');
if (isDemo) await import('./demo.mjs');
else setUp('start');
if (!isDemo && isNodeNewEnough()) {
  ensureConsole();
  ensurePlanes();
  const main = join(root, 'apps/weir/dist/main.cjs');
  const args = starters === '' ? [] : [`--started-by=${starters}`];
  // The launcher takes this process over, so that nothing of the above stays in memory. It never has enough to do for compiled code.
  // Not where our own parent listens to us, which would lose us, nor where the system cannot do it.
  if (!process.channel && process.platform === 'linux') {
    // Experimental warnings mean nothing to an owner.
    process.removeAllListeners('warning');
    // Free memory goes back in small pieces, as with the planes.
    const env = { MALLOC_ARENA_MAX: '1', MALLOC_TOP_PAD_: '16384', MALLOC_TRIM_THRESHOLD_: '65536', ...process.env };
    process.execve(process.execPath, [process.execPath, '--jitless', ...process.execArgv, main, ...args], env);
  }
  process.argv.push(...args);
  const { createRequire } = await import('node:module');
  createRequire(import.meta.url)(main);
}
