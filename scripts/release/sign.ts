import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './command.ts';

const ed25519 = 'Ed';
/** Bytes of a public key of minisign: algorithm, key id, key. */
const publicKeyBytes = 42;
/** An Ed25519 key as a SubjectPublicKeyInfo begins with these. */
const derPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Signs a file in the older format of minisign, over the file itself and not its hash: OpenSSL, which every system has, can check it.
 * minisign asks for the password of the key, if there is one.
 */
export function sign(file: string, key: string, comment: string): void {
  run('minisign', ['-S', '-l', '-s', key, '-m', file, '-x', `${file}.minisig`, '-t', comment]);
}

/** The key itself, out of a public key file of minisign. */
export function publicKeyOf(text: string): Buffer {
  const line =
    text.split('\n').find((candidate) => candidate !== '' && !candidate.startsWith('untrusted comment:')) ?? '';
  const bytes = Buffer.from(line, 'base64');
  if (bytes.length !== publicKeyBytes || bytes.toString('latin1', 0, 2) !== ed25519)
    throw new Error('The public key is not one of minisign.');
  return bytes.subarray(10);
}

/** The same key as OpenSSL reads it. */
export function publicKeyPem(text: string): string {
  const der = Buffer.concat([derPrefix, publicKeyOf(text)]).toString('base64');
  return `-----BEGIN PUBLIC KEY-----\n${der}\n-----END PUBLIC KEY-----`;
}

/** Throws, before the build takes its minutes, if users could not check what this key signs. */
export function assertKeyPair(key: string, publicKey: string): void {
  publicKeyOf(readFileSync(publicKey, 'utf8'));
  const folder = mkdtempSync(join(tmpdir(), 'weir-sign-'));
  try {
    const file = join(folder, 'text');
    writeFileSync(file, 'text');
    sign(file, key, 'test of the keys');
    run('minisign', ['-V', '-q', '-p', publicKey, '-m', file]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
