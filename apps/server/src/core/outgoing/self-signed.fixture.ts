import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A certificate that nobody trusts, for localhost. */
export async function selfSigned(): Promise<{ key: string; cert: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'weir-tls-'));
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'];
  await promisify(execFile)('openssl', [...args, '-subj', '/CN=localhost', '-keyout', key, '-out', cert]);
  const pair = { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
  await rm(directory, { recursive: true });
  return pair;
}
