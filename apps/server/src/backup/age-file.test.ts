import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from 'age-encryption';
import { describe, expect, it } from 'vitest';
import { decryptAge, encryptAge } from './age-file.ts';
import { createRecoveryKey, parseRecoveryKey } from './recovery-key.ts';

const key = createRecoveryKey();
/** Around the size of one chunk and of several, where the last chunk is full, short or empty. */
const sizes = [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000];

async function all(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const found: Uint8Array[] = [];
  for await (const piece of pieces) found.push(piece);
  return Buffer.concat(found);
}

/** Pieces whose borders fit no chunk. */
async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const plainOf = (size: number) => Buffer.from(Array.from({ length: size }, (_, at) => (at * 31) & 255));

describe('files in the age format', () => {
  it.each(sizes)('are read by the reference implementation: %i bytes', async (size) => {
    const sealed = await all(encryptAge(inPieces(plainOf(size), 10_007), key.recipient));
    const decrypter = new Decrypter();
    decrypter.addIdentity(key.identity);
    expect(Buffer.from(await decrypter.decrypt(sealed)).equals(plainOf(size))).toBe(true);
  });

  it.each(sizes)('of the reference implementation are read in pieces: %i bytes', async (size) => {
    const encrypter = new Encrypter();
    // The second recipient is another person's.
    encrypter.addRecipient(await identityToRecipient(await generateIdentity()));
    encrypter.addRecipient(key.recipient);
    const sealed = await encrypter.encrypt(plainOf(size));
    for (const pieces of [7, 65_536, sealed.length])
      expect((await all(decryptAge(inPieces(sealed, pieces), key.identity))).equals(plainOf(size))).toBe(true);
  });

  it('are refused when cut, extended or changed at any place', async () => {
    const sealed = await all(encryptAge(inPieces(plainOf(70_000), 70_000), key.recipient));
    const refusal = (bytes: Uint8Array) =>
      all(decryptAge(inPieces(bytes, 4096), key.identity)).then(
        () => 'accepted',
        (error: Error) => error.message,
      );
    const known =
      /^(the backup is damaged|this file is not a backup|this recovery key does not open|the backup was made by the newer)/;
    for (let at = 0; at < sealed.length; at += at < 300 ? 7 : 4999) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 0x41;
      expect(await refusal(changed)).toMatch(known);
      expect(await refusal(sealed.subarray(0, at))).toMatch(known);
    }
    expect(await refusal(Buffer.concat([sealed, Buffer.from('x')]))).toMatch(known);
    // A whole chunk is missing at the end.
    expect(await refusal(sealed.subarray(0, sealed.length - (70_000 - 65_536) - 16))).toMatch(known);
  });
});

describe('a recovery key', () => {
  it('is an identity of age, from which recipient and seal follow', async () => {
    expect(key.identity).toMatch(/^AGE-SECRET-KEY-1[A-Z0-9]{58}$/);
    expect(await identityToRecipient(key.identity)).toBe(key.recipient);
    expect(parseRecoveryKey(` ${key.identity.toLowerCase()}\n`)).toEqual(key);
    expect(key.sealKey).not.toContain(createRecoveryKey().sealKey);
  });

  it('is no shortened, changed or other text', () => {
    const changed = key.identity.slice(0, -1) + (key.identity.endsWith('Q') ? 'P' : 'Q');
    for (const text of ['', 'AGE-SECRET-KEY-1', key.recipient, key.identity.slice(0, -1), changed, 'x'.repeat(5000)])
      expect(parseRecoveryKey(text)).toBeUndefined();
  });
});
