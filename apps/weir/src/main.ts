import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, parseConfig } from '@weir/plane/config';
import { releaseStartupMemory } from '@weir/plane/settle';
import { Launcher } from './launcher.ts';
import { LogLines } from './log-lines.ts';
import { restartOnChange } from './watch.ts';

const root = join(import.meta.dirname, '../../..');
const log = new LogLines(process.stdout, process.stdout.isTTY === true);

function readConfig() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  try {
    return parseConfig(process.env, { cwd: process.cwd(), version });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    log.say('fatal', 'the configuration cannot be used', { reason: error.message });
    process.exit(1);
  }
}

// Types are stripped and code compiled once per version, not once per start: half the memory, a third of the time.
// And the C library keeps two heaps instead of one for each of a dozen mostly idle threads.
const env = { ...process.env, NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/weir'), MALLOC_ARENA_MAX: '2' };
const launcher = await Launcher.prepare(readConfig(), env, log);

let isStopping = false;
async function stop(reason: string, code: number): Promise<void> {
  // A second signal means: now. The planes notice that we are gone and end by themselves.
  if (isStopping) process.exit(1);
  isStopping = true;
  log.say(code === 0 ? 'info' : 'fatal', code === 0 ? 'stopping' : 'start failed', { reason });
  await launcher.stop();
  log.say('info', 'stopped');
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal, 0));
// Only the run that installed a newer Node has a parent that listens; without it nobody would end us.
if (process.channel) process.on('disconnect', () => stop('the starting process is gone', 0));

if (process.argv.includes('--watch')) restartOnChange(root, launcher.planes, log);
launcher
  .start()
  .then(releaseStartupMemory)
  .catch((error: unknown) => stop(error instanceof Error ? error.message : String(error), 1));
