import { hash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const headerBytes = 20;
const magicCookie = 0x2112a442;
const bindingRequest = 0x0001;
const bindingSuccess = 0x0101;
const integrityBytes = 20;
/** Size limit above that of any check. Longer messages are ignored. */
const longestCheck = 1280;
const fingerprintXor = 0x5354554e;

const attribute = {
  username: 0x0006,
  integrity: 0x0008,
  useCandidate: 0x0025,
  fingerprint: 0x8028,
} as const;

/** A message that may contain MESSAGE-INTEGRITY. */
interface Provable {
  /** Offset of MESSAGE-INTEGRITY. */
  readonly integrityAt: number;
}

interface StunMessage extends Provable {
  readonly transactionId: Buffer;
  readonly username: string;
  readonly isNominated: boolean;
}

/** A connectivity check of the other side (RFC 8445, 7.3), before it is known whether it has our password. */
export interface StunCheck extends Provable {
  /** Transaction id: a view of twelve octets of the datagram. */
  readonly transactionId: Buffer;
  /** Our part of the user name. */
  readonly localUfrag: string;
  readonly remoteUfrag: string;
  /** True if the peer has chosen this path. */
  readonly isNominated: boolean;
}

/** A binding request, or undefined when it is not one that could be answered. */
export function parseStunCheck(bytes: Buffer): StunCheck | undefined {
  const message = readStun(bytes, bindingRequest);
  const colon = message?.username.indexOf(':') ?? -1;
  if (!message || colon < 1) return undefined;
  const { transactionId, username, isNominated, integrityAt } = message;
  const [localUfrag, remoteUfrag] = [username.slice(0, colon), username.slice(colon + 1)];
  return { transactionId, localUfrag, remoteUfrag, isNominated, integrityAt };
}

/** Answer to our check, not yet authenticated. */
export function parseStunAnswer(bytes: Buffer): (Provable & { readonly transactionId: Buffer }) | undefined {
  return readStun(bytes, bindingSuccess);
}

/**
 * Reads a message of that type with a proof in it (RFC 8489, 5 and 14), or undefined when it is none.
 *
 *     type:16   length:16   cookie:32   transaction:96   ( type:16   length:16   value   padding to 32 bits ) …
 */
function readStun(bytes: Buffer, wanted: number): StunMessage | undefined {
  if (bytes.length < headerBytes || bytes.length > longestCheck) return undefined;
  if (bytes.readUInt16BE(0) !== wanted || bytes.readUInt32BE(4) !== magicCookie) return undefined;
  if (bytes.readUInt16BE(2) !== bytes.length - headerBytes) return undefined;
  let username = '';
  let isNominated = false;
  let integrityAt = 0;
  for (let at = headerBytes; at + 4 <= bytes.length; ) {
    const type = bytes.readUInt16BE(at);
    const length = bytes.readUInt16BE(at + 2);
    const end = at + 4 + length;
    if (end > bytes.length) return undefined;
    if (type === attribute.fingerprint) {
      if (length !== 4 || end !== bytes.length) return undefined;
      if (bytes.readUInt32BE(at + 4) !== fingerprintOf(bytes.subarray(0, at))) return undefined;
    } else if (integrityAt > 0) {
      // Attributes after MESSAGE-INTEGRITY are not authenticated.
    } else if (type === attribute.username && username === '') username = bytes.toString('latin1', at + 4, end);
    else if (type === attribute.useCandidate) isNominated = true;
    else if (type === attribute.integrity) {
      if (length !== integrityBytes) return undefined;
      integrityAt = at;
    }
    at = end + (-length & 3);
  }
  if (integrityAt === 0) return undefined;
  return { transactionId: bytes.subarray(8, headerBytes), username, isNominated, integrityAt };
}

/** True if the sender knows the password. */
export function isProved(bytes: Buffer, { integrityAt }: Provable, password: string): boolean {
  const given = bytes.subarray(integrityAt + 4, integrityAt + 4 + integrityBytes);
  return timingSafeEqual(given, integrityOf(bytes, integrityAt, password));
}

/** A message of these attributes, with proof and checksum behind them. */
export function writeStun(type: number, transactionId: Buffer, attributes: readonly [number, Buffer][], key: string) {
  let integrityAt = headerBytes;
  for (const [, value] of attributes) integrityAt += 4 + value.length + (-value.length & 3);
  const fingerprintAt = integrityAt + 4 + integrityBytes;
  const out = Buffer.alloc(fingerprintAt + 8);
  out.writeUInt16BE(type, 0);
  out.writeUInt16BE(out.length - headerBytes, 2);
  out.writeUInt32BE(magicCookie, 4);
  transactionId.copy(out, 8, 0, 12);
  let at = headerBytes;
  for (const [name, value] of attributes) at = writeAttribute(out, at, name, value);
  writeAttribute(out, integrityAt, attribute.integrity, integrityOf(out, integrityAt, key));
  out.writeUInt32BE(attribute.fingerprint * 0x10000 + 4, fingerprintAt);
  out.writeUInt32BE(fingerprintOf(out.subarray(0, fingerprintAt)), fingerprintAt + 4);
  return out;
}

/** `type:16 length:16 value`, in whole words. Tells where it ends. */
function writeAttribute(out: Buffer, at: number, type: number, value: Buffer): number {
  out.writeUInt16BE(type, at);
  out.writeUInt16BE(value.length, at + 2);
  value.copy(out, at + 4);
  return at + 4 + value.length + (-value.length & 3);
}

const blockBytes = 64;
/** Reused hash input: every client sends several checks a second. */
const inner = Buffer.alloc(blockBytes + longestCheck);
const outer = Buffer.alloc(blockBytes + integrityBytes);

/**
 * HMAC-SHA1 over the message up to there, whose length counts the attribute as well (RFC 8489, 14.5; RFC 2104). In two calls:
 * Node's own Hmac takes five times as long.
 */
function integrityOf(message: Buffer, end: number, password: string): Buffer {
  if (end > longestCheck) throw new RangeError('no such message');
  const key = password.length > blockBytes ? hash('sha1', password, 'binary') : password;
  for (let index = 0; index < blockBytes; index++) {
    const octet = index < key.length ? key.charCodeAt(index) : 0;
    inner[index] = octet ^ 0x36;
    outer[index] = octet ^ 0x5c;
  }
  message.copy(inner, blockBytes, 0, end);
  inner.writeUInt16BE(end - headerBytes + 4 + integrityBytes, blockBytes + 2);
  outer.set(hash('sha1', inner.subarray(0, blockBytes + end), 'buffer'), blockBytes);
  return hash('sha1', outer, 'buffer');
}

/** Appends the fingerprint as the last attribute (RFC 8489, 14.7), with the message length already set. */
function fingerprintOf(before: Buffer): number {
  return (crc32(before) ^ fingerprintXor) >>> 0;
}
