import type { NativeContext } from './native-context.ts';
import type { Symbols } from './symbols.ts';

const tagBytes = 16;
const getTag = 0x10;
const setTag = 0x11;
const sha1Bytes = 20;

/** Reusable cipher with its key. Callers write the nonce into `iv` of the native context, and pass places in the arena, which are checked here. */
abstract class NativeCipher {
  protected readonly bench: NativeContext;
  protected readonly iv: number;
  protected readonly count: number;
  /** Cached functions: a lookup among all symbols for each packet would be slow. */
  protected readonly begin: Symbols['EVP_CipherInit_ex'];
  protected readonly crypt: Symbols['EVP_Cipher'];
  protected readonly control: Symbols['EVP_CIPHER_CTX_ctrl'];
  #context: number;

  constructor(bench: NativeContext, cipher: number, key: Buffer) {
    this.bench = bench;
    const { symbols, arena, iv, number } = bench;
    this.begin = symbols.EVP_CipherInit_ex;
    this.crypt = symbols.EVP_Cipher;
    this.control = symbols.EVP_CIPHER_CTX_ctrl;
    this.iv = arena.address(iv.at, iv.length);
    this.count = arena.address(number.at, number.length);
    if (key.length !== 16) throw new RangeError('a key has 16 octets');
    this.#context = symbols.EVP_CIPHER_CTX_new();
    if (this.#context === 0 || symbols.EVP_CipherInit_ex(this.#context, cipher, 0, bench.lend(key), 0, 1) !== 1)
      throw new Error('no cipher');
    arena.bytes.fill(0, bench.small.at, bench.small.at + key.length);
  }

  protected get context(): number {
    if (this.#context === 0) throw new Error('the cipher is closed');
    return this.#context;
  }

  close(): void {
    if (this.#context !== 0) this.bench.symbols.EVP_CIPHER_CTX_free(this.#context);
    this.#context = 0;
  }
}

/** AES-128-GCM with nonces of twelve octets and tags of sixteen. */
export class GcmCipher extends NativeCipher {
  constructor(bench: NativeContext, key: Buffer) {
    super(bench, bench.symbols.EVP_aes_128_gcm(), key);
  }

  /** Encrypts what lies at `from` into `to`, which may be the same place, and writes the tag. */
  seal(aadAt: number, aadLength: number, from: number, to: number, length: number, tagAt: number): void {
    const { arena } = this.bench;
    const { context, begin, crypt, control } = this;
    const aad = arena.address(aadAt, aadLength);
    const plain = arena.address(from, length);
    const data = arena.address(to, length);
    const tag = arena.address(tagAt, tagBytes);
    const isDone =
      begin(context, 0, 0, 0, this.iv, 1) === 1 &&
      crypt(context, 0, aad, aadLength) >= 0 &&
      (length === 0 || crypt(context, data, plain, length) >= 0) &&
      crypt(context, 0, 0, 0) >= 0 &&
      control(context, getTag, tagBytes, tag) === 1;
    if (!isDone) throw new Error('cannot encrypt');
  }

  /** Decrypts in place. Returns false, with undefined content, if authentication fails. */
  open(aadAt: number, aadLength: number, at: number, length: number, tagAt: number): boolean {
    const { arena, symbols } = this.bench;
    const { context, begin, crypt, control } = this;
    const aad = arena.address(aadAt, aadLength);
    const data = arena.address(at, length);
    const tag = arena.address(tagAt, tagBytes);
    const isReal =
      begin(context, 0, 0, 0, this.iv, 0) === 1 &&
      control(context, setTag, tagBytes, tag) === 1 &&
      crypt(context, 0, aad, aadLength) >= 0 &&
      (length === 0 || crypt(context, data, data, length) >= 0) &&
      crypt(context, 0, 0, 0) >= 0;
    // The list of errors is shared with Node's own cryptography.
    if (!isReal) symbols.ERR_clear_error();
    return isReal;
  }
}

/** AES-128 in counter mode: the same both ways. */
export class CtrCipher extends NativeCipher {
  constructor(bench: NativeContext, key: Buffer) {
    super(bench, bench.symbols.EVP_aes_128_ctr(), key);
  }

  /** Transforms the bytes at `from` into those at `to`, which may be the same place. */
  apply(from: number, to: number, length: number): void {
    const { symbols, arena } = this.bench;
    const { context, begin } = this;
    const given = arena.address(from, length);
    const data = arena.address(to, length);
    if (begin(context, 0, 0, 0, this.iv, 1) !== 1) throw new Error('cannot encrypt');
    if (length > 0 && symbols.EVP_CipherUpdate(context, data, this.count, given, length) !== 1)
      throw new Error('cannot encrypt');
  }
}

/** HMAC-SHA1 with its key. */
export class Sha1Mac {
  readonly #bench: NativeContext;
  readonly #out: number;
  readonly #count: number;
  #context: number;

  constructor(bench: NativeContext, key: Buffer) {
    this.#bench = bench;
    const { symbols, arena, small, number } = bench;
    this.#out = arena.address(small.at, sha1Bytes);
    this.#count = arena.address(number.at, number.length);
    this.#context = symbols.HMAC_CTX_new();
    const isReady =
      this.#context !== 0 &&
      symbols.HMAC_Init_ex(this.#context, bench.lend(key), key.length, symbols.EVP_sha1(), 0) === 1;
    if (!isReady) throw new Error('no digest');
    arena.bytes.fill(0, small.at, small.at + key.length);
  }

  /** Over what lies there. The result is a view of the nativeContext, until the next call. */
  over(at: number, length: number): Buffer {
    const { symbols, arena, small } = this.#bench;
    const data = arena.address(at, length);
    if (this.#context === 0) throw new Error('the digest is closed');
    const isDone =
      symbols.HMAC_Init_ex(this.#context, 0, 0, 0, 0) === 1 &&
      symbols.HMAC_Update(this.#context, data, length) === 1 &&
      symbols.HMAC_Final(this.#context, this.#out, this.#count) === 1;
    if (!isDone) throw new Error('no digest');
    return arena.bytes.subarray(small.at, small.at + sha1Bytes);
  }

  close(): void {
    if (this.#context !== 0) this.#bench.symbols.HMAC_CTX_free(this.#context);
    this.#context = 0;
  }
}
