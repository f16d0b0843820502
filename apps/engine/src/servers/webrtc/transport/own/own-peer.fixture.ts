import { randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { parseStunCheck, writeStun, writeStunAnswer } from '@weir/media/stun';
import type { RtcPort, RtcTransport, TransportEvents } from '../rtc-transport.ts';
import type { DtlsContext } from './dtls/dtls-context.ts';
import { DtlsSession } from './dtls/dtls-session.ts';
import { NativeContext } from './native/native-context.ts';
import { SrtpSession } from './srtp/srtp-session.ts';

const password = 'p'.repeat(24);

const noEvents: TransportEvents = {
  onReached: () => undefined,
  onOpen: () => undefined,
  onPacket: () => undefined,
  onEnd: () => undefined,
  onFault: (error) => {
    throw error;
  },
};

interface Options {
  readonly events?: Partial<TransportEvents>;
  /** Alters our datagrams on their way. */
  readonly change?: (datagram: Buffer) => Buffer;
  /** Which address of the port it sends to. */
  readonly host?: string;
  /** Role of our end. */
  readonly role?: 'sends' | 'receives';
  /** Shares the socket of another peer, and with it the address. */
  readonly beside?: OwnPeer;
}

/** The other end of a transport, of the same parts: it sends checks, begins DTLS, and has the keys. */
export class OwnPeer {
  readonly transport: RtcTransport;
  readonly #bench: NativeContext;
  readonly #port: RtcPort;
  readonly #ufrag: string;
  readonly #dtls: DtlsSession;
  readonly #opened = Promise.withResolvers<void>();
  readonly received: Buffer[] = [];
  /** Source addresses of received datagrams. */
  readonly sources = new Set<string>();
  readonly #host: string;
  answersChecks = true;
  change: (datagram: Buffer) => Buffer;
  #socket: Socket;
  readonly #isShared: boolean;
  #srtp: SrtpSession | undefined;
  #isAnswered = false;
  /** Repeats what was lost of DTLS. */
  readonly #shaking: NodeJS.Timeout;

  private constructor(bench: NativeContext, port: RtcPort, socket: Socket, context: DtlsContext, options: Options) {
    this.#bench = bench;
    this.#port = port;
    this.#socket = socket;
    this.#isShared = options.beside !== undefined;
    this.#host = options.host ?? '127.0.0.1';
    this.#ufrag = randomBytes(6).toString('hex');
    this.change = options.change ?? ((datagram) => datagram);
    const [algorithm = '', value = ''] = context.fingerprint.split(' ');
    const peer = { iceUfrag: this.#ufrag, icePwd: password, fingerprint: { algorithm, value }, setup: 'actpass' };
    const events = { ...noEvents, ...options.events };
    this.transport = port.connect({ id: this.#ufrag, peer, role: options.role ?? 'receives', events });
    const [, theirs = ''] = this.transport.facts.fingerprint.split(' ');
    const send = (datagram: Buffer) => this.sendRaw(this.change(datagram));
    this.#dtls = new DtlsSession({ context, role: 'client', fingerprint: { algorithm, value: theirs }, send });
    this.#shaking = setInterval(() => this.#dtls.onTime(), 50);
    this.#listen(socket);
  }

  static async open(port: RtcPort, context: DtlsContext, options: Options = {}): Promise<OwnPeer> {
    const socket = options.beside ? options.beside.#socket : await bound();
    return new OwnPeer(await NativeContext.load(), port, socket, context, options);
  }

  get isOpen(): boolean {
    return this.#srtp !== undefined;
  }

  /** Connects, and resolves when keys are agreed. */
  async connect(): Promise<void> {
    this.check(true);
    await this.#opened.promise;
  }

  check(isNominated: boolean): void {
    this.sendRaw(this.checkBytes(isNominated));
  }

  /** A check that this peer can prove, whoever sends it. */
  checkBytes(isNominated: boolean): Buffer {
    const name = Buffer.from(`${this.transport.facts.iceUfrag}:${this.#ufrag}`);
    const attributes: [number, Buffer][] = [[0x0006, name]];
    if (isNominated) attributes.push([0x0025, Buffer.alloc(0)]);
    return writeStun(1, randomBytes(12), attributes, this.transport.facts.icePwd);
  }

  /** One packet or report, protected. */
  send(bytes: Buffer, isControl = false): void {
    const { arena, packet } = this.#bench;
    arena.bytes.set(bytes, packet.at);
    const length = isControl
      ? (this.#srtp?.sealRtcp(packet.at, bytes.length) ?? -1)
      : (this.#srtp?.sealRtp(packet.at, bytes.length) ?? -1);
    if (length > 0) this.sendRaw(Buffer.from(arena.bytes.subarray(packet.at, packet.at + length)));
  }

  sendRaw(datagram: Buffer): void {
    this.#socket.send(datagram, this.#port.port, this.#host);
  }

  /** Moves the peer to another address, as behind a router that lost its mapping. */
  async move(): Promise<void> {
    this.#socket.close();
    this.#socket = await bound();
    this.#listen(this.#socket);
  }

  close(): void {
    clearInterval(this.#shaking);
    this.transport.close();
    this.#dtls.close();
    this.#srtp?.close();
    if (!this.#isShared) this.#socket.close();
  }

  #listen(socket: Socket): void {
    socket.on('message', (datagram, { address }) => {
      this.sources.add(address);
      const first = datagram[0] ?? 0;
      if (first < 4) this.#onStun(datagram);
      else if (first < 64) this.#onDtls(datagram);
      else this.#onMedia(datagram);
    });
  }

  /** Answers checks as a browser does, unless it should not. */
  #onStun(datagram: Buffer): void {
    const check = parseStunCheck(datagram);
    const isForUs = check?.localUfrag === this.#ufrag;
    if (check && isForUs && this.answersChecks) this.sendRaw(writeStunAnswer(check, Buffer.alloc(4), 1, password));
    if (check || this.#isAnswered) return;
    this.#isAnswered = true;
    this.#dtls.begin();
  }

  #onDtls(datagram: Buffer): void {
    this.#dtls.receive(datagram);
    if (this.#srtp || !this.#dtls.keys) return;
    this.#srtp = new SrtpSession(this.#bench, this.#dtls.keys.profile, this.#dtls.keys);
    this.#opened.resolve();
  }

  #onMedia(datagram: Buffer): void {
    const { arena, packet } = this.#bench;
    arena.bytes.set(datagram, packet.at);
    const length = this.#srtp?.openRtp(packet.at, datagram.length) ?? -1;
    if (length > 0) this.received.push(Buffer.from(arena.bytes.subarray(packet.at, packet.at + length)));
  }
}

async function bound(): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}
