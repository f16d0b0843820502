import { timingSafeEqual } from 'node:crypto';
import { CtrCipher, GcmCipher, Sha1Mac } from '../native/ciphers.ts';
import type { NativeContext } from '../native/native-context.ts';
import { type MasterKey, type SrtpProfile, sessionKeys } from './srtp-keys.ts';

/** The most that a packet grows by: a tag, and with RTCP a number. */
export const mostOverhead = 24;
/** SRTCP layout: the clear header, and the index with its "encrypted" bit. */
const controlHead = 8;
const controlTail = 4;
const encrypted = 0x8000_0000;

/**
 * Protects packets of one direction where they lie in the arena. Behind each there is room for `mostOverhead`. Results are
 * lengths; -1 when a packet is not from whoever has the key.
 */
export interface Protection {
  /** `from` is where the octets behind the head lie, when they are not in their place yet. */
  seal(at: number, head: number, from: number, length: number, index: number): number;
  open(at: number, head: number, length: number, index: number): number;
  sealControl(at: number, length: number, index: number): number;
  openControl(at: number, length: number): number;
  /** The number that a control packet says it has. */
  controlIndex(at: number, length: number): number;
  close(): void;
}

export function makeProtection(bench: NativeContext, profile: SrtpProfile, master: MasterKey): Protection {
  return profile.name === 'gcm' ? new GcmProtection(bench, master) : new Sha1Protection(bench, master);
}

/** A salt as the numbers that a nonce is made of: looked at for each packet. */
class Salt {
  readonly first: number;
  readonly ssrc: number;
  readonly rounds: number;
  readonly sequence: number;

  /** `before` octets stand in front of those that an SSRC is mixed with. */
  constructor(salt: Buffer, before: 2 | 4) {
    this.first = salt.readUIntBE(0, before) | 0;
    this.ssrc = salt.readInt32BE(before);
    this.rounds = salt.readInt32BE(before + 4);
    this.sequence = salt.readUInt16BE(before + 8);
  }
}

const gcmTag = 16;

/** AEAD_AES_128_GCM (RFC 7714). */
class GcmProtection implements Protection {
  readonly #bench: NativeContext;
  readonly #rtp: GcmCipher;
  readonly #rtcp: GcmCipher;
  readonly #rtpSalt: Salt;
  readonly #rtcpSalt: Salt;

  constructor(bench: NativeContext, master: MasterKey) {
    const [rtp, rtcp] = [sessionKeys(master, 'rtp'), sessionKeys(master, 'rtcp')];
    this.#bench = bench;
    this.#rtp = new GcmCipher(bench, rtp.key);
    this.#rtcp = new GcmCipher(bench, rtcp.key);
    this.#rtpSalt = new Salt(rtp.salt, 2);
    this.#rtcpSalt = new Salt(rtcp.salt, 2);
  }

  seal(at: number, head: number, from: number, length: number, index: number): number {
    this.#writeNonce(this.#rtpSalt, at + 8, index);
    this.#rtp.seal(at, head, from, at + head, length - head, at + length);
    return length + gcmTag;
  }

  open(at: number, head: number, length: number, index: number): number {
    const end = length - gcmTag;
    if (end < head) return -1;
    this.#writeNonce(this.#rtpSalt, at + 8, index);
    return this.#rtp.open(at, head, at + head, end - head, at + end) ? end : -1;
  }

  /** `head, encrypted, tag, number`; what is proved besides is head and number (RFC 7714, 9.2). */
  sealControl(at: number, length: number, index: number): number {
    this.#writeNonce(this.#rtcpSalt, at + 4, index);
    const aad = this.#controlAad(at, encrypted + index);
    const data = at + controlHead;
    this.#rtcp.seal(aad, controlHead + controlTail, data, data, length - controlHead, at + length);
    this.#bench.arena.bytes.writeUInt32BE(encrypted + index, at + length + gcmTag);
    return length + gcmTag + controlTail;
  }

  openControl(at: number, length: number): number {
    const end = length - gcmTag - controlTail;
    if (end < controlHead) return -1;
    const word = this.#bench.arena.bytes.readUInt32BE(at + length - controlTail);
    if (word < encrypted) return -1;
    this.#writeNonce(this.#rtcpSalt, at + 4, word - encrypted);
    const aad = this.#controlAad(at, word);
    return this.#rtcp.open(aad, controlHead + controlTail, at + controlHead, end - controlHead, at + end) ? end : -1;
  }

  controlIndex(at: number, length: number): number {
    return this.#bench.arena.bytes.readUInt32BE(at + length - controlTail) % encrypted;
  }

  close(): void {
    this.#rtp.close();
    this.#rtcp.close();
  }

  /** `0:16 ssrc:32 index:48`, mixed with the salt (RFC 7714, 8.1 and 9.1). */
  #writeNonce(salt: Salt, ssrcAt: number, index: number): void {
    const { view } = this.#bench.arena;
    const { at } = this.#bench.iv;
    view.setInt16(at, salt.first);
    view.setInt32(at + 2, view.getInt32(ssrcAt) ^ salt.ssrc);
    view.setInt32(at + 6, (index / 0x10000) ^ salt.rounds);
    view.setInt16(at + 10, index ^ salt.sequence);
  }

  #controlAad(at: number, word: number): number {
    const { arena, small } = this.#bench;
    arena.bytes.copyWithin(small.at, at, at + controlHead);
    arena.bytes.writeUInt32BE(word, small.at + controlHead);
    return small.at;
  }
}

const sha1Tag = 10;

/** AES_CM_128_HMAC_SHA1_80 (RFC 3711, 4). */
class Sha1Protection implements Protection {
  readonly #bench: NativeContext;
  readonly #rtp: { readonly cipher: CtrCipher; readonly mac: Sha1Mac; readonly salt: Salt };
  readonly #rtcp: { readonly cipher: CtrCipher; readonly mac: Sha1Mac; readonly salt: Salt };

  constructor(bench: NativeContext, master: MasterKey) {
    this.#bench = bench;
    const make = (kind: 'rtp' | 'rtcp') => {
      const { key, auth, salt } = sessionKeys(master, kind);
      return { cipher: new CtrCipher(bench, key), mac: new Sha1Mac(bench, auth), salt: new Salt(salt, 4) };
    };
    this.#rtp = make('rtp');
    this.#rtcp = make('rtcp');
  }

  seal(at: number, head: number, from: number, length: number, index: number): number {
    this.#writeNonce(this.#rtp.salt, at + 8, index);
    this.#rtp.cipher.apply(from, at + head, length - head);
    this.#tagOf(at, length, index).copy(this.#bench.arena.bytes, at + length, 0, sha1Tag);
    return length + sha1Tag;
  }

  open(at: number, head: number, length: number, index: number): number {
    const end = length - sha1Tag;
    if (end < head) return -1;
    const given = Buffer.from(this.#bench.arena.bytes.subarray(at + end, at + length));
    if (!timingSafeEqual(given, this.#tagOf(at, end, index).subarray(0, sha1Tag))) return -1;
    this.#writeNonce(this.#rtp.salt, at + 8, index);
    this.#rtp.cipher.apply(at + head, at + head, end - head);
    return end;
  }

  /** `head, encrypted, number, tag` (RFC 3711, 3.4). */
  sealControl(at: number, length: number, index: number): number {
    const { bytes } = this.#bench.arena;
    this.#writeNonce(this.#rtcp.salt, at + 4, index);
    this.#rtcp.cipher.apply(at + controlHead, at + controlHead, length - controlHead);
    bytes.writeUInt32BE(encrypted + index, at + length);
    this.#rtcp.mac.over(at, length + controlTail).copy(bytes, at + length + controlTail, 0, sha1Tag);
    return length + controlTail + sha1Tag;
  }

  openControl(at: number, length: number): number {
    const { bytes } = this.#bench.arena;
    const tag = length - sha1Tag;
    const end = tag - controlTail;
    if (end < controlHead) return -1;
    const word = bytes.readUInt32BE(at + end);
    const given = bytes.subarray(at + tag, at + length);
    if (word < encrypted || !timingSafeEqual(given, this.#rtcp.mac.over(at, tag).subarray(0, sha1Tag))) return -1;
    this.#writeNonce(this.#rtcp.salt, at + 4, word - encrypted);
    this.#rtcp.cipher.apply(at + controlHead, at + controlHead, end - controlHead);
    return end;
  }

  controlIndex(at: number, length: number): number {
    return this.#bench.arena.bytes.readUInt32BE(at + length - sha1Tag - controlTail) % encrypted;
  }

  close(): void {
    for (const { cipher, mac } of [this.#rtp, this.#rtcp]) {
      cipher.close();
      mac.close();
    }
  }

  /** Over the packet and the rounds of its number, which are written where the tag will be. */
  #tagOf(at: number, length: number, index: number): Buffer {
    this.#bench.arena.view.setUint32(at + length, Math.floor(index / 0x10000));
    return this.#rtp.mac.over(at, length + 4);
  }

  /** `salt:112 0:16` mixed with `0:32 ssrc:32 index:48 0:16` (RFC 3711, 4.1.1). */
  #writeNonce(salt: Salt, ssrcAt: number, index: number): void {
    const { view } = this.#bench.arena;
    const { at } = this.#bench.iv;
    view.setInt32(at, salt.first);
    view.setInt32(at + 4, view.getInt32(ssrcAt) ^ salt.ssrc);
    view.setInt32(at + 8, (index / 0x10000) ^ salt.rounds);
    view.setInt16(at + 12, index ^ salt.sequence);
    view.setInt16(at + 14, 0);
  }
}
