import { createPrivateKey, createPublicKey, diffieHellman, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';

/** Prefixes of age's keys in Bech32. */
const recipientPrefix = 'age';
const identityPrefix = 'age-secret-key-';
const keyBytes = 32;

/** DER of an X25519 key before its 32 bytes. */
const privateHead = Buffer.from('302e020100300506032b656e04220420', 'hex');
const publicHead = Buffer.from('302a300506032b656e032100', 'hex');

/** Key pair of backups. Only the identity can decrypt. */
interface RecoveryKey {
  /** `AGE-SECRET-KEY-1…`, shown once and stored nowhere. */
  readonly identity: string;
  /** `age1…`, to which backups are encrypted. */
  readonly recipient: string;
  /** Seals backups. Derived from the identity; decrypts nothing. */
  readonly sealKey: string;
}

export function createRecoveryKey(): RecoveryKey {
  const identity = encodeBech32(identityPrefix, randomBytes(keyBytes)).toUpperCase();
  return parseRecoveryKey(identity) as RecoveryKey;
}

/** Undefined unless the text is an identity of age. */
export function parseRecoveryKey(text: string): RecoveryKey | undefined {
  const secret = secretOf(text);
  if (!secret) return undefined;
  const recipient = encodeBech32(recipientPrefix, publicOf(privateKey(secret)));
  const sealKey = Buffer.from(hkdfSync('sha256', secret, '', 'weir backup seal', keyBytes)).toString('base64url');
  return { identity: text.trim().toUpperCase(), recipient, sealKey };
}

/** Bytes of a recipient; undefined for any other text. */
export function parseRecipient(text: string): Buffer | undefined {
  const bytes = decodeBech32(recipientPrefix, text.trim());
  return bytes?.length === keyBytes ? bytes : undefined;
}

/** Bytes of an identity; undefined for any other text. */
export function secretOf(identity: string): Buffer | undefined {
  const bytes = decodeBech32(identityPrefix, identity.trim().toLowerCase());
  return bytes?.length === keyBytes ? bytes : undefined;
}

export function publicOf(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(publicHead.length);
}

export function privateKey(secret: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([privateHead, secret]), format: 'der', type: 'pkcs8' });
}

/** Throws for a public key of small order, which would make the secret known. */
export function sharedSecret(own: KeyObject, other: Uint8Array): Buffer {
  const publicKey = createPublicKey({ key: Buffer.concat([publicHead, other]), format: 'der', type: 'spki' });
  return diffieHellman({ privateKey: own, publicKey });
}

const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const checksumLength = 6;
/** Keys have 32 bytes; a longer text is no key. */
const longestText = 100;

function checksumOf(values: readonly number[]): number {
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    generators.forEach((generator, bit) => {
      if ((top >>> bit) & 1) sum ^= generator;
    });
  }
  return sum >>> 0;
}

function expandPrefix(prefix: string): number[] {
  const codes = [...prefix].map((sign) => sign.charCodeAt(0));
  return [...codes.map((code) => code >>> 5), 0, ...codes.map((code) => code & 31)];
}

/** Bech32 (BIP 173), without its limit on length, as age uses it. */
function encodeBech32(prefix: string, bytes: Uint8Array): string {
  const words = regroup([...bytes], 8, 5, true) ?? [];
  const sum = checksumOf([...expandPrefix(prefix), ...words, ...Array<number>(checksumLength).fill(0)]) ^ 1;
  const checksum = Array.from({ length: checksumLength }, (_, at) => (sum >>> (5 * (checksumLength - 1 - at))) & 31);
  return `${prefix}1${[...words, ...checksum].map((word) => alphabet[word]).join('')}`;
}

function decodeBech32(prefix: string, text: string): Buffer | undefined {
  if (text.length > longestText || !text.startsWith(`${prefix}1`)) return undefined;
  const words = [...text.slice(prefix.length + 1)].map((sign) => alphabet.indexOf(sign));
  if (words.length < checksumLength || words.includes(-1)) return undefined;
  if (checksumOf([...expandPrefix(prefix), ...words]) !== 1) return undefined;
  const bytes = regroup(words.slice(0, -checksumLength), 5, 8, false);
  return bytes && Buffer.from(bytes);
}

/** Undefined where the last bits are no padding. */
function regroup(values: readonly number[], from: number, to: number, pads: boolean): number[] | undefined {
  const groups: number[] = [];
  let bits = 0;
  let held = 0;
  for (const value of values) {
    held = (held << from) | value;
    bits += from;
    while (bits >= to) {
      bits -= to;
      groups.push((held >>> bits) & ((1 << to) - 1));
    }
    held &= (1 << bits) - 1;
  }
  if (pads && bits > 0) groups.push((held << (to - bits)) & ((1 << to) - 1));
  if (!pads && (bits >= from || held !== 0)) return undefined;
  return groups;
}
