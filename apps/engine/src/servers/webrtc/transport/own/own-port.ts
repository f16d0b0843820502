import { networkInterfaces } from 'node:os';
import { parseStunAnswer, parseStunCheck, writeStunAnswer } from '@weir/media/stun';
import { type Listen, type Log, WatchClock } from '@weir/plane';
import { guarded } from '../guarded.ts';
import type { Connecting, RtcPort, RtcTransport } from '../rtc-transport.ts';
import { DtlsContext } from './dtls/dtls-context.ts';
import { HandshakeGate } from './handshake-gate.ts';
import { NativeContext } from './native/native-context.ts';
import { OwnTransport, type Surroundings } from './own-transport.ts';
import { DatagramReceiver } from './receiving/datagram-receiver.ts';
import type { SenderAddress } from './receiving/sender-address.ts';
import { routeKey, type Way } from './route.ts';
import { RouteTable } from './route-table.ts';
import { SendBatch } from './sending/send-batch.ts';
import { openUdpSocket, type UdpSocket } from './sending/udp-socket.ts';

/** Each takes a socket. */
const most = 32;

/**
 * The addresses of a machine that has several of one kind. A datagram that came to one of them must be answered from it, and
 * the system would choose another.
 */
function severalAddresses(): string[] {
  const own = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal, address }) => !internal && !address.startsWith('fe80'));
  const groups = Map.groupBy(own, ({ family }) => family);
  const several = [...groups.values()].filter((group) => group.length > 1);
  return several.flatMap((group) => group.map(({ address }) => address)).slice(0, most);
}

/** Interval of checks for lost handshake flights; the first is due 50 ms after sending. */
const shakeMs = 25;
/** Interval of checks for consent and for idle receiving. */
const checkMs = 1000;

/** Own WebRTC transport on one UDP port: classifies datagrams (RFC 7983) and passes them to their sessions. */
export class OwnPort implements RtcPort {
  readonly port: number;
  readonly #incoming: DatagramReceiver;
  readonly #batch: SendBatch;
  readonly #around: Surroundings;
  readonly #transports = new Map<string, OwnTransport>();
  readonly #routes = new RouteTable<OwnTransport>();
  readonly #clock = new WatchClock(2 * checkMs);
  readonly #onShake: (transport: OwnTransport) => void;
  readonly #checkConsent: (transport: OwnTransport, watchedMs: number) => void;
  #checking: NodeJS.Timeout | undefined;
  /** Only while a handshake is under way: to wake up costs more than what is done then. */
  #shaking: NodeJS.Timeout | undefined;

  private constructor(bench: NativeContext, { port, receivers }: UdpSocket, log: Log) {
    this.port = port;
    const onFault = (error: unknown) => log.error({ err: error }, 'rtc datagram failed');
    const onUncut = () => log.info('UDP segmentation offload is unavailable, sending WebRTC datagrams one by one');
    const onTurnEnd = () => this.#incoming.onTurnEnd();
    this.#batch = new SendBatch(bench, receivers[0].descriptor, { onUncut, onFault, onTurnEnd });
    this.#onShake = guarded((transport: OwnTransport) => transport.shakeAgain(), onFault);
    this.#checkConsent = guarded(
      (transport: OwnTransport, watchedMs: number) => transport.checkConsent(watchedMs),
      onFault,
    );
    this.#around = {
      context: new DtlsContext(bench),
      batch: this.#batch,
      gate: new HandshakeGate(),
      routes: this.#routes,
      onUrgent: () => this.#incoming.hurry(),
      onShaking: () => {
        this.#shaking ??= setInterval(() => this.#shake(), shakeMs);
      },
      onClosed: (transport) => this.#remove(transport),
    };
    const onDatagram = guarded(
      (bytes: Buffer, from: SenderAddress, local: string | undefined, waitedMs: number) =>
        this.#onDatagram(bytes, wayOf(from, local), waitedMs),
      onFault,
    );
    this.#incoming = new DatagramReceiver(bench, receivers, { onDatagram, onFault });
  }

  /** Throws NotCapable where this system or this build of Node cannot. */
  static async open(listen: Listen, log: Log, addresses = severalAddresses()): Promise<OwnPort> {
    const bench = await NativeContext.load();
    const opened = openUdpSocket(bench, listen, addresses);
    try {
      return new OwnPort(bench, opened, log);
    } catch (error) {
      // Another user of the port finds it free.
      for (const { descriptor } of opened.receivers) bench.symbols.close(descriptor);
      throw error;
    }
  }

  /** Number of kept transports and routes. */
  get held(): { readonly transports: number; readonly routes: number } {
    return { transports: this.#transports.size, routes: this.#routes.size };
  }

  /** True while datagrams are read in batches. */
  get isGathering(): boolean {
    return this.#incoming.isGathering;
  }

  connect(connecting: Connecting): RtcTransport {
    const transport = new OwnTransport(this.#around, connecting);
    this.#incoming.hurry();
    this.#transports.set(transport.facts.iceUfrag, transport);
    this.#checking ??= setInterval(() => this.#check(), checkMs);
    return transport;
  }

  close(): void {
    for (const transport of [...this.#transports.values()]) transport.close();
    this.#stop();
    this.#batch.flush();
    this.#batch.close();
    this.#incoming.close();
    this.#around.context.close();
  }

  #onDatagram(bytes: Buffer, way: Way, waitedMs: number): void {
    const first = bytes[0] ?? 0xff;
    const key = routeKey(way.host, way.port, way.local);
    if (first < 4) this.#onStun(bytes, way, key);
    else if (first >= 20 && first < 64) for (const transport of this.#routes.forDtls(key)) transport.onDtls(bytes, key);
    else if (first >= 128 && first < 192) this.#onMedia(bytes, key, waitedMs);
  }

  /** Several sessions may claim an address; the one whose key fits gets the packet. */
  #onMedia(bytes: Buffer, key: string, waitedMs: number): void {
    const claims = this.#routes.at(key);
    for (const transport of claims) {
      if (!transport.onMedia(bytes, key, waitedMs)) continue;
      if (claims.length > 1) this.#routes.prefer(key, transport);
      return;
    }
  }

  /** Checks without proof of our credentials get no answer. */
  #onStun(bytes: Buffer, way: Way, key: string): void {
    const answer = parseStunAnswer(bytes);
    if (answer) {
      this.#routes.findPending(answer.transactionId)?.onAnswer(bytes, answer, key);
      return;
    }
    const check = parseStunCheck(bytes);
    const transport = check && this.#transports.get(check.localUfrag);
    if (!check || !transport?.isFromPeer(bytes, check)) return;
    const route = transport.onCheck(way, check.isNominated, performance.now());
    this.#batch.send(route, writeStunAnswer(check, route.octets, route.port, transport.facts.icePwd));
  }

  #shake(): void {
    const shaking = [...this.#transports.values()].filter(({ isShaking }) => isShaking);
    for (const transport of shaking) this.#onShake(transport);
    if (shaking.length > 0) return;
    clearInterval(this.#shaking);
    this.#shaking = undefined;
  }

  #check(): void {
    const watchedMs = this.#clock.now();
    let isCalm = true;
    for (const transport of [...this.#transports.values()]) {
      isCalm &&= transport.isCalm;
      this.#checkConsent(transport, watchedMs);
    }
    this.#incoming.adapt(isCalm);
  }

  #remove(transport: OwnTransport): void {
    this.#transports.delete(transport.facts.iceUfrag);
    if (this.#transports.size === 0) this.#stop();
  }

  /** Stops all timers and empties caches when the last transport has left. */
  #stop(): void {
    clearInterval(this.#shaking);
    clearInterval(this.#checking);
    this.#shaking = undefined;
    this.#checking = undefined;
    this.#batch.payloads.clear();
  }
}

/** A socket of both versions writes addresses of IPv4 as such of IPv6, and is what is sent through: others follow it. */
function wayOf({ address, port }: SenderAddress, local: string | undefined): Way {
  return { host: local?.startsWith('::ffff:') ? `::ffff:${address}` : address, port, local };
}
