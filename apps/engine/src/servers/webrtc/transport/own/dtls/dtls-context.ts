import type { NativeContext } from '../native/native-context.ts';
import { NotCapable } from '../native/symbols.ts';
import { makeCertificate } from './certificate.ts';

const command = { mode: 33, readAhead: 41, sessionCache: 44, minVersion: 123, maxVersion: 124 } as const;
const dtls12 = 0xfefd;
/** Room for records is given back while none are on their way. */
const releaseBuffers = 0x10;
/** Options: no path MTU query, no session tickets, no renegotiation. */
const options = 0x1000 + 0x4000 + 0x4000_0000;
/** Ask for a certificate, and fail without one. */
const verifyPeer = 3;
const ellipticKey = 408;
/** The cheaper one first; browsers have both. */
const profiles = 'SRTP_AEAD_AES_128_GCM:SRTP_AES128_CM_SHA1_80';

/** Shared context of a port's DTLS sessions: our certificate and the accepted parameters. */
export class DtlsContext {
  readonly bench: NativeContext;
  readonly fingerprint: string;
  #context: number;

  constructor(bench: NativeContext) {
    this.bench = bench;
    const { symbols } = bench;
    const { der, privateKeyDer, fingerprint } = makeCertificate();
    this.fingerprint = fingerprint;
    this.#context = symbols.SSL_CTX_new(symbols.DTLS_method());
    if (this.#context === 0) throw new NotCapable('no DTLS');
    const context = this.#context;
    symbols.SSL_CTX_set_options(context, options);
    const isReady =
      symbols.SSL_CTX_ctrl(context, command.minVersion, dtls12, 0) === 1 &&
      symbols.SSL_CTX_ctrl(context, command.maxVersion, dtls12, 0) === 1 &&
      symbols.SSL_CTX_use_certificate_ASN1(context, der.length, bench.lend(der)) === 1 &&
      symbols.SSL_CTX_use_PrivateKey_ASN1(ellipticKey, context, bench.lend(privateKeyDer), privateKeyDer.length) ===
        1 &&
      // Alone among these it answers 0 when all is well.
      symbols.SSL_CTX_set_tlsext_use_srtp(context, profiles) === 0;
    bench.arena.bytes.fill(0, bench.small.at, bench.small.at + bench.small.length);
    symbols.SSL_CTX_ctrl(context, command.sessionCache, 0, 0);
    symbols.SSL_CTX_ctrl(context, command.readAhead, 1, 0);
    symbols.SSL_CTX_ctrl(context, command.mode, releaseBuffers, 0);
    // The peer's certificate is checked by its fingerprint after the handshake.
    symbols.SSL_CTX_set_verify(context, verifyPeer, 0);
    symbols.SSL_CTX_set_cert_verify_callback(context, bench.answerOne, 0);
    if (isReady) return;
    symbols.ERR_clear_error();
    this.close();
    throw new NotCapable('DTLS cannot be set up');
  }

  get handle(): number {
    if (this.#context === 0) throw new Error('the DTLS context is closed');
    return this.#context;
  }

  /** Sessions that are open keep what they need of it. */
  close(): void {
    if (this.#context !== 0) this.bench.symbols.SSL_CTX_free(this.#context);
    this.#context = 0;
  }
}
