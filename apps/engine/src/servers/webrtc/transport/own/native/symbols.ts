import type { KoffiFunc } from 'koffi';
import { loadNativeCalls } from '../../../../../delivery/native-calls.ts';
import type { FixedMemory } from './arena.ts';

/** Thrown if this build of Node, or this system, lacks a function that our transport needs. */
export class NotCapable extends Error {
  override readonly name = 'NotCapable';
}

type Pointer = number;
type Int = number;

/**
 * Functions of Node's OpenSSL and of the C library. Pointers are plain numbers: callers check them against the arena, or have them from
 * one of these functions.
 */
export interface Symbols {
  DTLS_method(): Pointer;
  SSL_CTX_new(method: Pointer): Pointer;
  SSL_CTX_free(context: Pointer): void;
  SSL_CTX_ctrl(context: Pointer, command: Int, value: Int, place: Pointer): Int;
  SSL_CTX_set_options(context: Pointer, options: Int): Int;
  SSL_CTX_set_verify(context: Pointer, mode: Int, callback: Pointer): void;
  SSL_CTX_set_cert_verify_callback(context: Pointer, callback: bigint, opaque: Pointer): void;
  SSL_CTX_use_certificate_ASN1(context: Pointer, length: Int, der: Pointer): Int;
  SSL_CTX_use_PrivateKey_ASN1(type: Int, context: Pointer, der: Pointer, length: Int): Int;
  SSL_CTX_set_tlsext_use_srtp(context: Pointer, profiles: string): Int;
  SSL_new(context: Pointer): Pointer;
  SSL_free(ssl: Pointer): void;
  SSL_set_bio(ssl: Pointer, read: Pointer, write: Pointer): void;
  SSL_set_accept_state(ssl: Pointer): void;
  SSL_set_connect_state(ssl: Pointer): void;
  SSL_ctrl(ssl: Pointer, command: Int, value: Int, place: Pointer): Int;
  DTLS_set_timer_cb(ssl: Pointer, callback: bigint): void;
  SSL_do_handshake(ssl: Pointer): Int;
  SSL_read(ssl: Pointer, into: Pointer, length: Int): Int;
  SSL_shutdown(ssl: Pointer): Int;
  SSL_get_error(ssl: Pointer, result: Int): Int;
  SSL_get1_peer_certificate(ssl: Pointer): Pointer;
  SSL_get_selected_srtp_profile(ssl: Pointer): Pointer;
  SSL_export_keying_material(
    ssl: Pointer,
    out: Pointer,
    length: Int,
    label: string,
    labelLength: Int,
    context: Pointer,
    contextLength: Int,
    useContext: Int,
  ): Int;
  X509_digest(certificate: Pointer, digest: Pointer, out: Pointer, length: Pointer): Int;
  X509_free(certificate: Pointer): void;
  BIO_s_mem(): Pointer;
  BIO_new(method: Pointer): Pointer;
  BIO_free(bio: Pointer): Int;
  BIO_read(bio: Pointer, into: Pointer, length: Int): Int;
  BIO_write(bio: Pointer, from: Pointer, length: Int): Int;
  BIO_ctrl_pending(bio: Pointer): Int;
  ERR_clear_error(): void;
  EVP_get_digestbyname(name: string): Pointer;
  EVP_aes_128_gcm(): Pointer;
  EVP_aes_128_ctr(): Pointer;
  EVP_sha1(): Pointer;
  EVP_CIPHER_CTX_new(): Pointer;
  EVP_CIPHER_CTX_free(context: Pointer): void;
  EVP_CIPHER_CTX_ctrl(context: Pointer, command: Int, value: Int, place: Pointer): Int;
  EVP_CipherInit_ex(context: Pointer, cipher: Pointer, engine: Pointer, key: Pointer, iv: Pointer, encrypts: Int): Int;
  EVP_CipherUpdate(context: Pointer, out: Pointer, outLength: Pointer, from: Pointer, length: Int): Int;
  /**
   * Combined form of the three above with less overhead: no output means "authenticate only", no input means "finish".
   */
  EVP_Cipher(context: Pointer, out: Pointer, from: Pointer, length: Int): Int;
  HMAC_CTX_new(): Pointer;
  HMAC_CTX_free(context: Pointer): void;
  HMAC_Init_ex(context: Pointer, key: Pointer, length: Int, digest: Pointer, engine: Pointer): Int;
  HMAC_Update(context: Pointer, from: Pointer, length: Int): Int;
  HMAC_Final(context: Pointer, out: Pointer, length: Pointer): Int;
  mmap(near: Pointer, length: Int, protection: Int, flags: Int, descriptor: Int, offset: Int): Pointer;
  memcpy(to: Pointer, from: Pointer, length: Int): Pointer;
  socket(family: Int, type: Int, protocol: Int): Int;
  bind(descriptor: Int, address: Pointer, length: Int): Int;
  setsockopt(descriptor: Int, level: Int, name: Int, value: Pointer, length: Int): Int;
  getsockname(descriptor: Int, address: Pointer, length: Pointer): Int;
  fcntl(descriptor: Int, command: Int, value: Int): Int;
  ioctl(descriptor: Int, request: Int, value: Pointer): Int;
  sendmmsg(descriptor: Int, messages: Pointer, count: Int, flags: Int): Int;
  recvmmsg(descriptor: Int, messages: Pointer, count: Int, flags: Int, patience: Pointer): Int;
  close(descriptor: Int): Int;
}

/** C declarations, with `p` for any address. */
const declarations: Readonly<Record<keyof Symbols, string>> = {
  DTLS_method: 'p ()',
  SSL_CTX_new: 'p (p)',
  SSL_CTX_free: 'void (p)',
  SSL_CTX_ctrl: 'long (p, int, long, p)',
  SSL_CTX_set_options: 'uint64_t (p, uint64_t)',
  SSL_CTX_set_verify: 'void (p, int, p)',
  SSL_CTX_set_cert_verify_callback: 'void (p, void *, p)',
  SSL_CTX_use_certificate_ASN1: 'int (p, int, p)',
  SSL_CTX_use_PrivateKey_ASN1: 'int (int, p, p, long)',
  SSL_CTX_set_tlsext_use_srtp: 'int (p, const char *)',
  SSL_new: 'p (p)',
  SSL_free: 'void (p)',
  SSL_set_bio: 'void (p, p, p)',
  SSL_set_accept_state: 'void (p)',
  SSL_set_connect_state: 'void (p)',
  SSL_ctrl: 'long (p, int, long, p)',
  DTLS_set_timer_cb: 'void (p, void *)',
  SSL_do_handshake: 'int (p)',
  SSL_read: 'int (p, p, int)',
  SSL_shutdown: 'int (p)',
  SSL_get_error: 'int (p, int)',
  SSL_get1_peer_certificate: 'p (p)',
  SSL_get_selected_srtp_profile: 'p (p)',
  SSL_export_keying_material: 'int (p, p, size_t, const char *, size_t, p, size_t, int)',
  X509_digest: 'int (p, p, p, p)',
  X509_free: 'void (p)',
  BIO_s_mem: 'p ()',
  BIO_new: 'p (p)',
  BIO_free: 'int (p)',
  BIO_read: 'int (p, p, int)',
  BIO_write: 'int (p, p, int)',
  BIO_ctrl_pending: 'size_t (p)',
  ERR_clear_error: 'void ()',
  EVP_get_digestbyname: 'p (const char *)',
  EVP_aes_128_gcm: 'p ()',
  EVP_aes_128_ctr: 'p ()',
  EVP_sha1: 'p ()',
  EVP_CIPHER_CTX_new: 'p ()',
  EVP_CIPHER_CTX_free: 'void (p)',
  EVP_CIPHER_CTX_ctrl: 'int (p, int, int, p)',
  EVP_CipherInit_ex: 'int (p, p, p, p, p, int)',
  EVP_CipherUpdate: 'int (p, p, p, p, int)',
  EVP_Cipher: 'int (p, p, p, uint32_t)',
  HMAC_CTX_new: 'p ()',
  HMAC_CTX_free: 'void (p)',
  HMAC_Init_ex: 'int (p, p, int, p, p)',
  HMAC_Update: 'int (p, p, size_t)',
  HMAC_Final: 'int (p, p, p)',
  mmap: 'p (p, size_t, int, int, int, long)',
  memcpy: 'p (p, p, size_t)',
  socket: 'int (int, int, int)',
  bind: 'int (int, p, uint32_t)',
  setsockopt: 'int (int, int, int, p, uint32_t)',
  getsockname: 'int (int, p, p)',
  fcntl: 'int (int, int, int)',
  ioctl: 'int (int, ulong, p)',
  sendmmsg: 'int (int, p, uint32_t, int)',
  recvmmsg: 'int (int, p, uint32_t, int, p)',
  close: 'int (int)',
};

export interface Natives {
  readonly symbols: Symbols;
  /** Memory outside the garbage collector. */
  readonly memory: FixedMemory;
  /** errno of the last failed call. */
  readonly errno: () => number;
  /** Address of a C function that takes two pointers and returns 1. */
  readonly answerOne: bigint;
  /** C function that returns the next timeout of a DTLS session from the last one, in microseconds. */
  readonly nextWait: bigint;
}

/**
 * First retransmission after 50 ms, as in browsers; OpenSSL's default is a second. It gives up after twelve attempts,
 * some 13 s later.
 */
const firstWaitUs = 50_000;
const longestWaitUs = 1_600_000;

let loading: Promise<Natives> | undefined;

/** Loaded once per process. Throws NotCapable if one is missing. */
export function loadNatives(memoryBytes: number): Promise<Natives> {
  loading ??= load(memoryBytes).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(memoryBytes: number): Promise<Natives> {
  // Structures are written as Linux has them, with pointers of 64 bits and the lowest octet first.
  if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch))
    throw new NotCapable(`not on ${process.platform} ${process.arch}`);
  const koffi = await loadNativeCalls();
  const system = koffi.load(null);
  const found: Partial<Record<keyof Symbols, KoffiFunc<(...args: never[]) => unknown>>> = {};
  for (const [name, declaration] of Object.entries(declarations)) {
    const [result = '', args = ''] = declaration.replaceAll(/\bp\b/g, 'uintptr_t').split(/ (?=\()/);
    try {
      found[name as keyof Symbols] = system.func(`${result} ${name}${args}`);
    } catch (error) {
      throw new NotCapable(`${name} is missing`, { cause: error });
    }
  }
  const symbols = found as Readonly<Record<keyof Symbols, unknown>> as Symbols;
  const one = koffi.proto('int WeirAnswerOne(void *first, void *second)');
  const wait = koffi.proto('uint32_t WeirNextWait(void *ssl, uint32_t waitedUs)');
  const nextWait = (_ssl: unknown, waitedUs: number) =>
    waitedUs === 0 ? firstWaitUs : Math.min(waitedUs * 2, longestWaitUs);
  const address = allocateMemory(symbols, memoryBytes);
  return {
    symbols,
    memory: { bytes: Buffer.from(koffi.view(BigInt(address), memoryBytes)), address },
    errno: () => koffi.errno(),
    // Registered callbacks stay until the process ends: sessions may call them at any time.
    answerOne: koffi.register(() => 1, koffi.pointer(one)),
    nextWait: koffi.register(nextWait, koffi.pointer(wait)),
  };
}

/** Constants of Linux. */
const readWrite = 3;
const privateAnonymous = 0x22;
/**
 * Address below 2 GB, which the system may refuse: an argument above 31 bits costs 50 ns in each native call. It is far above the end of the
 * program, where the heap begins.
 */
const wishedAddress = 0x7000_0000;

/** Allocates zeroed memory that is never freed. */
function allocateMemory(symbols: Symbols, bytes: number): number {
  const address = symbols.mmap(wishedAddress, bytes, readWrite, privateAnonymous, -1, 0);
  if (!Number.isSafeInteger(address)) throw new NotCapable('there is no memory');
  return address;
}
