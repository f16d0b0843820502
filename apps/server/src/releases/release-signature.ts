import { createPublicKey, verify } from 'node:crypto';

/** Algorithm of minisign's older format: the file itself is signed, not its hash. */
const ed25519 = 'Ed';
const keyIdBytes = 8;
/** Bytes of a public key of minisign: algorithm, key id, key. */
const publicKeyBytes = 42;
/** Bytes of a signature: algorithm, key id, signature. */
const signatureBytes = 74;
/** An Ed25519 key as a SubjectPublicKeyInfo begins with these. */
const derPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/** The line with the key, out of a public key file of minisign or that line itself. */
export function publicKeyLine(text: string): string {
  return dataLines(text)[0] ?? '';
}

/** The same key as OpenSSL and Node read it. */
export function publicKeyDer(text: string): Buffer {
  return Buffer.concat([derPrefix, decodeKey(text).key]);
}

/** True if the owner of the key has signed these bytes. `signature` is the text of a `.minisig` file. */
export function isSigned(bytes: Uint8Array, signature: string, publicKey: string): boolean {
  const { id, key } = decodeKey(publicKey);
  const raw = Buffer.from(dataLines(signature)[0] ?? '', 'base64');
  if (raw.length !== signatureBytes || raw.toString('latin1', 0, 2) !== ed25519) return false;
  if (!raw.subarray(2, 2 + keyIdBytes).equals(id)) return false;
  const der = createPublicKey({ key: Buffer.concat([derPrefix, key]), format: 'der', type: 'spki' });
  return verify(null, bytes, der, raw.subarray(2 + keyIdBytes));
}

function decodeKey(text: string): { readonly id: Buffer; readonly key: Buffer } {
  const bytes = Buffer.from(publicKeyLine(text), 'base64');
  if (bytes.length !== publicKeyBytes || bytes.toString('latin1', 0, 2) !== ed25519)
    throw new Error('The public key is not one of minisign.');
  return { id: bytes.subarray(2, 2 + keyIdBytes), key: bytes.subarray(2 + keyIdBytes) };
}

function dataLines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('untrusted comment:'));
}
