// Runs both planes with restarts on code changes; the console reloads in the browser, at the address Vite prints.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { ensureConsole, isNodeNewEnough, root, setUp } from './setup.mjs';

setUp('start');
if (isNodeNewEnough()) {
  ensureConsole();
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const pages = spawn(process.execPath, [vite], {
    cwd: join(root, 'apps/web'),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  process.on('exit', () => pages.kill());
  process.argv.push('--watch');
  await import('../apps/weir/src/main.ts');
}
