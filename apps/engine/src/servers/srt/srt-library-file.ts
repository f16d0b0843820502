import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/**
 * Usual names: Debian's two builds, Alpine, Homebrew, Windows. GnuTLS first: Node exports its own OpenSSL, whose
 * functions the other build would find instead of its own.
 */
export const usualLibraries = ['libsrt-gnutls.so.1.5', 'libsrt.so.1.5', 'libsrt.1.5.dylib', 'srt.dll'];

const machines: Readonly<Record<string, string>> = { arm64: 'aarch64-linux-gnu', x64: 'x86_64-linux-gnu' };

/** True if libsrt lies in a usual place. False means that only loading can tell. */
export function isLibraryFileThere(path: string, arch: string = process.arch): boolean {
  if (path !== '' && isAbsolute(path)) return existsSync(path);
  const machine = machines[arch] ?? '';
  const directories = ['/usr/lib', '/lib', '/usr/local/lib', '/usr/lib64', '/lib64', '/opt/homebrew/lib'];
  const names = path === '' ? usualLibraries : [path];
  return [...directories.map((directory) => join(directory, machine)), ...directories].some((directory) =>
    names.some((name) => existsSync(join(directory, name))),
  );
}
