import type { PeerFacts } from '../../rtc-transport.ts';
import { largestDatagram, type NativeContext } from '../native/native-context.ts';
import { type MasterKey, materialBytes, type SrtpProfile, splitMaterial, srtpProfiles } from '../srtp/srtp-keys.ts';
import { colons } from './certificate.ts';
import type { DtlsContext } from './dtls-context.ts';

const command = { setMtu: 17, handleTimeout: 74 } as const;
/** Size that fits the smallest MTU of IPv6 together with the headers of IP and UDP. */
const mtu = 1200;
const wanted = { read: 2, write: 3 } as const;
const label = 'EXTRACTOR-dtls_srtp';
const recordHead = 13;
const longestDigest = 64;

interface DtlsKeys {
  readonly profile: SrtpProfile;
  readonly ours: MasterKey;
  readonly theirs: MasterKey;
}

interface Options {
  readonly context: DtlsContext;
  readonly role: 'client' | 'server';
  /** Fingerprint of the certificate that the peer must present. */
  readonly fingerprint: PeerFacts['fingerprint'];
  readonly send: (datagram: Buffer) => void;
}

/** One DTLS association, in memory: datagrams in, datagrams out. */
export class DtlsSession {
  /** State; callers check it after each call. */
  state: 'handshake' | 'open' | 'over' = 'handshake';
  keys: DtlsKeys | undefined;
  reason = '';
  readonly #options: Options;
  readonly #bench: NativeContext;
  #ssl: number;
  /** Memory BIOs; freed by the session. */
  #incoming: number;
  #outgoing: number;

  constructor(options: Options) {
    this.#options = options;
    const { context, role } = options;
    this.#bench = context.bench;
    const { symbols } = this.#bench;
    this.#incoming = symbols.BIO_new(symbols.BIO_s_mem());
    this.#outgoing = symbols.BIO_new(symbols.BIO_s_mem());
    this.#ssl = symbols.SSL_new(context.handle);
    if (this.#ssl === 0 || this.#incoming === 0 || this.#outgoing === 0) {
      for (const bio of [this.#incoming, this.#outgoing]) if (bio !== 0) symbols.BIO_free(bio);
      if (this.#ssl !== 0) symbols.SSL_free(this.#ssl);
      symbols.ERR_clear_error();
      throw new Error('no DTLS session');
    }
    symbols.SSL_set_bio(this.#ssl, this.#incoming, this.#outgoing);
    symbols.SSL_ctrl(this.#ssl, command.setMtu, mtu, 0);
    symbols.DTLS_set_timer_cb(this.#ssl, this.#bench.nextWait);
    if (role === 'client') symbols.SSL_set_connect_state(this.#ssl);
    else symbols.SSL_set_accept_state(this.#ssl);
  }

  /** The client sends the first flight. */
  begin(): void {
    if (this.#options.role === 'client') this.#drive();
  }

  receive(datagram: Buffer): void {
    if (this.state === 'over' || datagram.length > largestDatagram) return;
    const { symbols, arena, packet } = this.#bench;
    arena.bytes.set(datagram, packet.at);
    if (symbols.BIO_write(this.#incoming, arena.address(packet.at, datagram.length), datagram.length) < 1) return;
    if (this.state === 'handshake') this.#drive();
    else this.#read();
  }

  /** Sends again what was lost, when it is time for that. */
  onTime(): void {
    if (this.state !== 'handshake') return;
    const { symbols } = this.#bench;
    if (symbols.SSL_ctrl(this.#ssl, command.handleTimeout, 0, 0) < 0) this.#fail('the DTLS handshake timed out');
    this.#drain();
    symbols.ERR_clear_error();
  }

  /** Sends a close alert, if the session is established. */
  close(): void {
    if (this.#ssl === 0) return;
    const { symbols } = this.#bench;
    if (this.state === 'open') {
      symbols.SSL_shutdown(this.#ssl);
      this.#drain();
    }
    this.state = 'over';
    symbols.ERR_clear_error();
    symbols.SSL_free(this.#ssl);
    this.#ssl = 0;
    this.#incoming = 0;
    this.#outgoing = 0;
  }

  #drive(): void {
    const { symbols } = this.#bench;
    symbols.ERR_clear_error();
    const result = symbols.SSL_do_handshake(this.#ssl);
    const error = result === 1 ? 0 : symbols.SSL_get_error(this.#ssl, result);
    if (result === 1) this.#finish();
    else if (error !== wanted.read && error !== wanted.write) this.#fail('the DTLS handshake failed');
    this.#drain();
    symbols.ERR_clear_error();
  }

  #finish(): void {
    const { algorithm, value } = this.#options.fingerprint;
    if (this.#peerFingerprint(algorithm) !== value) {
      this.#fail('the DTLS certificate does not match the offer');
      return;
    }
    this.keys = this.#exportKeys();
    if (this.keys) this.state = 'open';
    else this.#fail('no SRTP profile was agreed');
  }

  /** After the handshake: it may have to be answered once more, or the other side leaves. */
  #read(): void {
    const { symbols, arena, packet } = this.#bench;
    symbols.ERR_clear_error();
    const result = symbols.SSL_read(this.#ssl, arena.address(packet.at, largestDatagram), largestDatagram);
    const error = result > 0 ? 0 : symbols.SSL_get_error(this.#ssl, result);
    if (error !== 0 && error !== wanted.read && error !== wanted.write) this.#fail('closed by the peer');
    this.#drain();
    symbols.ERR_clear_error();
  }

  #fail(reason: string): void {
    this.state = 'over';
    this.reason = reason;
  }

  /** Memory does not keep datagrams apart: cut where records begin, and packed up to the size of a packet. */
  #drain(): void {
    const { symbols, arena, packet } = this.#bench;
    const { bytes } = arena;
    let length = 0;
    const send = () => {
      if (length > 0) this.#options.send(Buffer.from(bytes.subarray(packet.at, packet.at + length)));
      length = 0;
    };
    const head = Buffer.alloc(recordHead);
    while (symbols.BIO_ctrl_pending(this.#outgoing) >= recordHead) {
      const { small } = this.#bench;
      if (symbols.BIO_read(this.#outgoing, arena.address(small.at, recordHead), recordHead) !== recordHead) break;
      bytes.copy(head, 0, small.at, small.at + recordHead);
      const body = head.readUInt16BE(recordHead - 2);
      if (length + recordHead + body > mtu) send();
      if (recordHead + body > largestDatagram) break;
      head.copy(bytes, packet.at + length);
      const at = packet.at + length + recordHead;
      if (symbols.BIO_read(this.#outgoing, arena.address(at, body), body) !== body) break;
      length += recordHead + body;
    }
    send();
  }

  #peerFingerprint(algorithm: string): string {
    const { symbols, arena, small, number } = this.#bench;
    const digest = symbols.EVP_get_digestbyname(algorithm.replace('-', ''));
    const certificate = symbols.SSL_get1_peer_certificate(this.#ssl);
    if (certificate === 0) return '';
    const out = arena.address(small.at, longestDigest);
    const isDone = digest !== 0 && symbols.X509_digest(certificate, digest, out, arena.address(number.at, 4)) === 1;
    symbols.X509_free(certificate);
    const length = Math.min(longestDigest, arena.bytes.readUInt32LE(number.at));
    return isDone ? colons(arena.bytes.subarray(small.at, small.at + length)) : '';
  }

  #exportKeys(): DtlsKeys | undefined {
    const profile = this.#profile();
    if (!profile) return undefined;
    const { symbols, arena, small } = this.#bench;
    const length = materialBytes(profile);
    const out = arena.address(small.at, length);
    const isDone = symbols.SSL_export_keying_material(this.#ssl, out, length, label, label.length, 0, 0, 0) === 1;
    const material = Buffer.from(arena.bytes.subarray(small.at, small.at + length));
    arena.bytes.fill(0, small.at, small.at + length);
    const { client, server } = splitMaterial(material, profile);
    if (!isDone) return undefined;
    const isClient = this.#options.role === 'client';
    return { profile, ours: isClient ? client : server, theirs: isClient ? server : client };
  }

  /** `SRTP_PROTECTION_PROFILE`: a name and a number, each of 64 bits. */
  #profile(): SrtpProfile | undefined {
    const { symbols, arena, small } = this.#bench;
    const chosen = symbols.SSL_get_selected_srtp_profile(this.#ssl);
    if (chosen === 0) return undefined;
    symbols.memcpy(arena.address(small.at, 16), chosen, 16);
    const id = arena.bytes.readUInt32LE(small.at + 8);
    return id === 1 || id === 7 ? srtpProfiles[id] : undefined;
  }
}
