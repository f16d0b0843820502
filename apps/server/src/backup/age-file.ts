import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { refuseBackup } from './backup-refusal.ts';
import { parseRecipient, privateKey, publicOf, secretOf, sharedSecret } from './recovery-key.ts';

/** age-encryption.org/v1 with one X25519 recipient. */
const versionLine = 'age-encryption.org/v1';
const wrapInfo = `${versionLine}/X25519`;
const cipher = 'chacha20-poly1305';
const options = { authTagLength: 16 } as const;
const tagBytes = 16;
const fileKeyBytes = 16;
const payloadNonceBytes = 16;
const chunkBytes = 64 * 1024;
const sealedBytes = chunkBytes + tagBytes;
/** A header with several recipients has a few hundred bytes. */
const mostHeaderBytes = 16 * 1024;
const zeroNonce = Buffer.alloc(12);

/** Encrypts to a recipient. Takes pieces of any size. */
export async function* encryptAge(plain: AsyncIterable<Uint8Array>, recipient: string): AsyncGenerator<Buffer> {
  const other = parseRecipient(recipient);
  if (!other) throw new Error('the recipient of backups is damaged');
  const fileKey = randomBytes(fileKeyBytes);
  const { privateKey: ephemeral } = generateKeyPairSync('x25519');
  const share = publicOf(ephemeral);
  const wrapKey = derive(sharedSecret(ephemeral, other), Buffer.concat([share, other]), wrapInfo);
  const stanza = `-> X25519 ${base64(share)}\n${base64(seal(wrapKey, zeroNonce, fileKey))}`;
  const head = `${versionLine}\n${stanza}\n---`;
  const nonce = randomBytes(payloadNonceBytes);
  yield Buffer.concat([Buffer.from(`${head} ${base64(macOf(fileKey, head))}\n`), nonce]);
  const key = derive(fileKey, nonce, 'payload');
  const chunks = new Chunks();
  let number = 0;
  for await (const piece of plain) {
    chunks.add(piece);
    // The last chunk may be full, so one is held back until more follows.
    while (chunks.bytes > chunkBytes) yield seal(key, chunkNonce(number++, false), chunks.take(chunkBytes));
  }
  yield seal(key, chunkNonce(number, true), chunks.take(chunks.bytes));
}

/** Decrypts and authenticates chunk by chunk. A missing end is an error. Refusals say which part is wrong. */
export async function* decryptAge(sealed: AsyncIterable<Uint8Array>, identity: string): AsyncGenerator<Buffer> {
  const secret = secretOf(identity);
  if (!secret) throw refuseBackup('bad-key');
  const chunks = new Chunks();
  let key: Buffer | undefined;
  let number = 0;
  for await (const piece of sealed) {
    chunks.add(piece);
    key ??= readHeader(chunks, secret);
    while (key && chunks.bytes > sealedBytes)
      yield open(key, chunkNonce(number++, false), chunks.take(sealedBytes)) ?? damaged();
  }
  if (!key) throw chunks.bytes === 0 ? refuseBackup('not-a-backup') : unfinishedHeader(chunks);
  const last = open(key, chunkNonce(number, true), chunks.take(chunks.bytes)) ?? damaged();
  if (last.length === 0 && number > 0) damaged();
  yield last;
}

function damaged(): never {
  throw refuseBackup('damaged');
}

function unfinishedHeader(chunks: Chunks) {
  const begins = chunks.peek().toString('latin1').startsWith(versionLine);
  return refuseBackup(begins ? 'damaged' : 'not-a-backup');
}

/** Key of the payload, once the header is there; undefined before. */
function readHeader(chunks: Chunks, secret: Buffer): Buffer | undefined {
  const bytes = chunks.peek();
  const text = bytes.subarray(0, mostHeaderBytes).toString('latin1');
  const known = Math.min(text.length, versionLine.length + 1);
  if (!text.startsWith(`${versionLine}\n`.slice(0, known))) {
    throw text.startsWith('age-encryption.org/')
      ? refuseBackup('newer', { fact: text.slice(0, 40).split('\n')[0] ?? '' })
      : refuseBackup('not-a-backup');
  }
  const [line, head, mac] = /^(.*?\n---) ([A-Za-z0-9+/]{43})\n/s.exec(text) ?? [];
  if (line === undefined || head === undefined || mac === undefined) {
    if (bytes.length >= mostHeaderBytes) damaged();
    return undefined;
  }
  if (bytes.length < line.length + payloadNonceBytes) return undefined;
  const fileKey = unwrap(head, secret);
  if (!timingSafeEqual(Buffer.from(base64(macOf(fileKey, head))), Buffer.from(mac))) damaged();
  chunks.take(line.length);
  return derive(fileKey, chunks.take(payloadNonceBytes), 'payload');
}

/** The first stanza that the identity opens. */
function unwrap(head: string, secret: Buffer): Buffer {
  const own = privateKey(secret);
  const lines = head.split('\n').slice(1, -1);
  for (let at = 0; at + 1 < lines.length; at++) {
    const [, share64] = /^-> X25519 ([A-Za-z0-9+/]{43})$/.exec(lines[at] ?? '') ?? [];
    const body = Buffer.from(lines[at + 1] ?? '', 'base64');
    if (share64 === undefined || body.length !== fileKeyBytes + tagBytes) continue;
    const share = Buffer.from(share64, 'base64');
    const fileKey = open(wrapKeyOf(own, share), zeroNonce, body);
    if (fileKey) return fileKey;
  }
  throw refuseBackup(lines.some((line) => line.startsWith('-> ')) ? 'wrong-key' : 'damaged');
}

function wrapKeyOf(own: ReturnType<typeof privateKey>, share: Buffer): Buffer {
  try {
    return derive(sharedSecret(own, share), Buffer.concat([share, publicOf(own)]), wrapInfo);
  } catch (cause) {
    throw refuseBackup('damaged', { cause });
  }
}

function derive(secret: Uint8Array, salt: Uint8Array, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, 32));
}

function macOf(fileKey: Uint8Array, head: string): Buffer {
  return createHmac('sha256', derive(fileKey, Buffer.alloc(0), 'header'))
    .update(head, 'latin1')
    .digest();
}

function seal(key: Uint8Array, nonce: Uint8Array, plain: Uint8Array): Buffer {
  const sealing = createCipheriv(cipher, key, nonce, options);
  return Buffer.concat([sealing.update(plain), sealing.final(), sealing.getAuthTag()]);
}

/** Undefined if the bytes are not what was sealed. */
function open(key: Uint8Array, nonce: Uint8Array, sealed: Buffer): Buffer | undefined {
  if (sealed.length < tagBytes) return undefined;
  const opening = createDecipheriv(cipher, key, nonce, options);
  opening.setAuthTag(sealed.subarray(-tagBytes));
  try {
    return Buffer.concat([opening.update(sealed.subarray(0, -tagBytes)), opening.final()]);
  } catch {
    return undefined;
  }
}

/** Eleven bytes of a counter, and whether it is the last chunk. */
function chunkNonce(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}

/** Pieces that are put together to chunks of one size, copied only at their borders. */
class Chunks {
  readonly #pieces: Buffer[] = [];
  bytes = 0;

  add(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#pieces.push(Buffer.from(piece.buffer, piece.byteOffset, piece.length));
    this.bytes += piece.length;
  }

  take(count: number): Buffer {
    const taken: Buffer[] = [];
    let missing = count;
    while (missing > 0) {
      const first = this.#pieces[0] as Buffer;
      if (first.length <= missing) this.#pieces.shift();
      else this.#pieces[0] = first.subarray(missing);
      taken.push(first.subarray(0, missing));
      missing -= Math.min(first.length, missing);
    }
    this.bytes -= count;
    return taken.length === 1 ? (taken[0] as Buffer) : Buffer.concat(taken, count);
  }

  peek(): Buffer {
    const all = Buffer.concat(this.#pieces);
    this.#pieces.splice(0, this.#pieces.length, ...(all.length > 0 ? [all] : []));
    return all;
  }
}
