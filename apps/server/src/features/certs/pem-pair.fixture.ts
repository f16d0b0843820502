import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PemPair } from './pem-pair.ts';

interface Wishes {
  readonly name?: string;
  /** Validity from now on; openssl counts whole days, so tests use another `now`. */
  readonly days?: number;
  readonly issuer?: PemPair;
  readonly newKey?: readonly string[];
}

const p256 = ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];

/** A pair as people bring them: made by openssl, self-signed or signed by another. */
export function makePair({ name = 'live.example.com', days = 90, issuer, newKey = p256 }: Wishes = {}): PemPair {
  const directory = mkdtempSync(join(tmpdir(), 'weir-pair-'));
  const file = (part: string) => join(directory, part);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    const extension = file('extension');
    writeFileSync(extension, `subjectAltName=DNS:${name}\n`);
    openssl(
      'req',
      '-new',
      '-nodes',
      '-subj',
      `/CN=${name}`,
      '-newkey',
      ...newKey,
      '-keyout',
      file('key'),
      '-out',
      file('csr'),
    );
    const signer = issuer ? { key: issuer.key, crt: issuer.crt } : undefined;
    writeFileSync(file('issuer.key'), signer?.key ?? '');
    writeFileSync(file('issuer.crt'), signer?.crt ?? '');
    const signing = signer
      ? ['-CA', file('issuer.crt'), '-CAkey', file('issuer.key'), '-CAcreateserial']
      : ['-signkey', file('key')];
    openssl(
      'x509',
      '-req',
      '-in',
      file('csr'),
      '-days',
      String(days),
      '-extfile',
      extension,
      ...signing,
      '-out',
      file('crt'),
    );
    return { key: readFileSync(file('key'), 'utf8'), crt: readFileSync(file('crt'), 'utf8') };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
