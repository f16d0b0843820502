import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { commonPackages, type ModelPackage, platformPackages } from './manifest.ts';
import { nodeRuntimes, whisperCommon, whisperModels } from './whisper-manifest.ts';

/** Folder of the installed files, apart from user models. */
const builtinFolder = 'builtin';

/** File to install. */
export interface RequiredFile {
  readonly package: ModelPackage;
  /** Path in the tarball. */
  readonly member: string;
  /** Size in the tarball. */
  readonly memberBytes: number;
  readonly memberSha256: string;
  /** Relative to the models directory. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly make: (source: Buffer) => Buffer;
}

export const builtinDirectory = (modelsDir: string): string => join(modelsDir, builtinFolder);

/** Undefined on platforms without a native library. */
function platformPackage(): ModelPackage | undefined {
  return hasSystemLibraries() ? platformPackages[`${process.platform}-${process.arch}`] : undefined;
}

/** The native library needs glibc, which some Linux distributions lack. */
function hasSystemLibraries(): boolean {
  if (process.platform !== 'linux') return true;
  return ['/lib64/ld-linux-x86-64.so.2', '/lib/ld-linux-aarch64.so.1'].some((loader) => existsSync(loader));
}

/** Models that are installed and removed together. `basic` is what all others need. */
export const modelSets = ['basic', 'whisper-base', 'whisper-small'] as const;
export type ModelSet = (typeof modelSets)[number];

/** Packages of a set for this machine; undefined where a set does not run on it. */
export function packagesOf(set: ModelSet): readonly ModelPackage[] | undefined {
  const own = platformPackage();
  if (!own) return undefined;
  if (set === 'basic') return [own, ...commonPackages];
  const runtime = nodeRuntimes[`${process.platform}-${process.arch}`];
  return runtime && [runtime, ...whisperCommon, whisperModels[set === 'whisper-base' ? 'base' : 'small']];
}

/** Files of a set for this machine. */
export const filesOf = (set: ModelSet): RequiredFile[] => (packagesOf(set) ?? []).flatMap(listFiles);

/** Every package of every platform. */
export const allPackages: readonly ModelPackage[] = [
  ...commonPackages,
  ...Object.values(platformPackages),
  ...Object.values(nodeRuntimes),
  ...whisperCommon,
  ...Object.values(whisperModels),
];

export function listFiles(item: ModelPackage): RequiredFile[] {
  return item.files.map(([name, bytes, sha256]) => {
    const made = item.makes?.from === name ? item.makes : { name, bytes, sha256, of: (source: Buffer) => source };
    return {
      package: item,
      member: `${item.folder}/${name}`,
      memberBytes: bytes,
      memberSha256: sha256,
      path: join(builtinFolder, item.into, made.name),
      bytes: made.bytes,
      sha256: made.sha256,
      make: made.of,
    };
  });
}
