import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Pair {
  readonly key: string;
  readonly cert: string;
}

const run = promisify(execFile);
const elliptic = ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];

/** A key and a certificate that it signed itself. */
export async function makePair(keyOptions = elliptic): Promise<Pair> {
  const directory = await mkdtemp(join(tmpdir(), 'weir-pair-'));
  const [keyPath, certPath] = [join(directory, 'key'), join(directory, 'crt')];
  const about = ['-nodes', '-days', '2', '-subj', '/CN=test', '-newkey', ...keyOptions];
  await run('openssl', ['req', '-x509', ...about, '-keyout', keyPath, '-out', certPath]);
  const [key, cert] = await Promise.all([readFile(keyPath, 'utf8'), readFile(certPath, 'utf8')]);
  await rm(directory, { recursive: true });
  return { key, cert };
}

/** Writes the pair as the control plane does: into a temporary file, then in place. */
export async function installPair(dataDir: string, { key, cert }: Pair): Promise<void> {
  const directory = join(dataDir, 'config');
  await mkdir(directory, { recursive: true });
  for (const [name, text] of [
    ['nginx.key', key],
    ['nginx.crt', cert],
  ] as const) {
    await writeFile(join(directory, `${name}.new`), text);
    await rename(join(directory, `${name}.new`), join(directory, name));
  }
}
