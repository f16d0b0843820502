import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from '@weir/process';
import { detectModelFiles, type ModelFiles } from './model-files.ts';
import { isProbeResult, type ProbeResult } from './probe.ts';

/** Model that the owner put into the models directory. */
interface UserModel {
  /** Folder name. */
  readonly id: string;
  readonly path: (name: string) => string;
  readonly set: ModelFiles | undefined;
  /** Voices only. */
  readonly speakers: number;
  /** Reason why it cannot be used; empty if it can. */
  readonly problem: string;
}

const mostModels = 50;
const probeMs = 120_000;
/** A list waits at most this long; unfinished checks appear in the next one. */
const listTimeoutMs = 25_000;

interface Probe {
  readonly fingerprint: string;
  readonly result: Promise<ProbeResult>;
  settled?: ProbeResult;
}

/** Finds user models and checks each in a separate process first, because a broken one crashes the process that loads it. */
export class UserModels {
  readonly #modelsDir: string;
  readonly #entry: string;
  readonly #probes = new Map<string, Probe>();
  /** Sequential: each check needs as much memory as its model. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(modelsDir: string, entry: string) {
    this.#modelsDir = modelsDir;
    this.#entry = entry;
  }

  async list(): Promise<UserModel[]> {
    const folders = await readdir(this.#modelsDir, { withFileTypes: true }).catch(() => []);
    const names = folders.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).map(({ name }) => name);
    const own = names.filter((name) => name !== 'builtin' && !name.startsWith('.')).sort();
    const patience = AbortSignal.timeout(listTimeoutMs);
    const models = await Promise.all(own.slice(0, mostModels).map((id) => this.#model(id, patience)));
    return models.filter((model) => model !== undefined);
  }

  async #model(id: string, patience: AbortSignal): Promise<UserModel | undefined> {
    const path = (name: string) => join(this.#modelsDir, id, name);
    const names = await readdir(join(this.#modelsDir, id)).catch(() => []);
    const set = detectModelFiles(id, names);
    if (set === undefined) return undefined;
    if (typeof set === 'string') return { id, path, set: undefined, speakers: 0, problem: set };
    const verdict = await this.#verdict(id, await computeFingerprint(names.map(path)), patience);
    return { id, path, set, speakers: verdict.speakers, problem: verdict.problem };
  }

  async #verdict(id: string, fingerprint: string, patience: AbortSignal): Promise<ProbeResult> {
    let probe = this.#probes.get(id);
    if (probe?.fingerprint !== fingerprint) {
      const result = this.#last.then(() => this.#try(id));
      const begun: Probe = { fingerprint, result };
      void result.then((verdict) => (begun.settled = verdict));
      this.#last = result;
      this.#probes.set(id, begun);
      probe = begun;
    }
    const late = new Promise<void>((resolve) => patience.addEventListener('abort', () => resolve(), { once: true }));
    await Promise.race([probe.result, late]);
    return probe.settled ?? { speakers: 0, problem: 'The model is still being checked.' };
  }

  async #try(id: string): Promise<ProbeResult> {
    const args = [this.#entry, 'probe', this.#modelsDir, id];
    const end = await runTool({ command: process.execPath, args, withinMs: probeMs });
    const verdict = end.code === 0 ? parseProbeResult(end.output) : undefined;
    if (verdict?.problem === '') return verdict;
    if (end.cut === 'time') return { speakers: 0, problem: 'The model took too long to load.' };
    const words = findNativeError(end.said) ?? verdict?.problem ?? end.reason;
    return { speakers: 0, problem: `The model could not be loaded: ${words.replaceAll(`${this.#modelsDir}/`, '')}` };
  }
}

/** First native error: it names the cause, while later ones often only point to documentation. */
function findNativeError(said: readonly string[]): string | undefined {
  return said.map((line) => /\.cc:\w+:\d+ (.+)$/.exec(line)?.[1]).find((words) => words !== undefined);
}

/** Last line of the output; native code may print before it. */
function parseProbeResult(output: string): ProbeResult | undefined {
  try {
    const value: unknown = JSON.parse(output.trim().split('\n').at(-1) ?? '');
    return isProbeResult(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Changes when any file changes. */
async function computeFingerprint(paths: readonly string[]): Promise<string> {
  const facts = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        ({ size, mtimeMs }) => `${path} ${size} ${mtimeMs}`,
        () => path,
      ),
    ),
  );
  return facts.sort().join('\n');
}
