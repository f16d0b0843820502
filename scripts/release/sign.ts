import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publicKeyDer } from '../../apps/server/src/releases/release-signature.ts';
import { run } from './command.ts';

/**
 * Signs a file in the older format of minisign, over the file itself and not its hash: OpenSSL, which every system has, can check it.
 * minisign asks for the password of the key, if there is one.
 */
export function sign(file: string, key: string, comment: string): void {
  run('minisign', ['-S', '-l', '-s', key, '-m', file, '-x', `${file}.minisig`, '-t', comment]);
}

/** The public key as OpenSSL reads it. */
export function publicKeyPem(text: string): string {
  return `-----BEGIN PUBLIC KEY-----\n${publicKeyDer(text).toString('base64')}\n-----END PUBLIC KEY-----`;
}

/** Throws, before the build takes its minutes, if users could not check what this key signs. */
export function assertKeyPair(key: string, publicKey: string): void {
  publicKeyDer(readFileSync(publicKey, 'utf8'));
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
