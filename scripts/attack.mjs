// npm run attack: the list of attacks against a product of its own, on this machine alone.
import { ensureConsole, isNodeNewEnough, setUp } from './setup.mjs';

setUp('test');
if (isNodeNewEnough()) {
  ensureConsole();
  await import('../attack/main.ts');
}
