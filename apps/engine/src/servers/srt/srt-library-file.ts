import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/**
 * Where systems keep it: Debian's two builds, Alpine, Homebrew, Windows. The one with GnuTLS first: Node has an OpenSSL
 * of its own, whose functions the other build would find before those it was made for.
 */
export const usualLibraries = ['libsrt-gnutls.so.1.5', 'libsrt.so.1.5', 'libsrt.1.5.dylib', 'srt.dll'];

const machines: Readonly<Record<string, string>> = { arm64: 'aarch64-linux-gnu', x64: 'x86_64-linux-gnu' };

/** Whether a libsrt lies where the system looks for one. False means only that it must be tried to know. */
export function isLibraryFileThere(path: string, arch: string = process.arch): boolean {
  if (path !== '' && isAbsolute(path)) return existsSync(path);
  const machine = machines[arch] ?? '';
  const directories = ['/usr/lib', '/lib', '/usr/local/lib', '/usr/lib64', '/lib64', '/opt/homebrew/lib'];
  const names = path === '' ? usualLibraries : [path];
  return [...directories.map((directory) => join(directory, machine)), ...directories].some((directory) =>
    names.some((name) => existsSync(join(directory, name))),
  );
}
