import { mkdir, open, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { LocalAiError } from './local-ai-error.ts';
import { builtinDirectory } from './required-files.ts';

const beatMs = 3000;
/** One whose holder has not been heard of for so long belongs to nobody: a process id would mean nothing in another container. */
const staleAfterMs = 30_000;

/** Runs work that only one process at a time may do in a models directory; throws `busy` while another does it. */
export async function withInstallLock<T>(modelsDir: string, work: () => Promise<T>): Promise<T> {
  const path = join(builtinDirectory(modelsDir), '.install-lock');
  await mkdir(builtinDirectory(modelsDir), { recursive: true });
  if (await isStale(path)) await rm(path, { force: true });
  try {
    await (await open(path, 'wx')).close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new LocalAiError('busy', 'Built-in AI is already being installed or removed.');
  }
  const beat = setInterval(() => utimes(path, new Date(), new Date()).catch(() => undefined), beatMs);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    await rm(path, { force: true });
  }
}

async function isStale(path: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(path)).mtimeMs > staleAfterMs;
  } catch {
    return false;
  }
}
